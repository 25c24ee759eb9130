import { createCertificateAuthority, type ServerCertificate } from '@paywatch/dev/servers';
import { removeFolder, temporaryFolder } from '@paywatch/dev/testing';
import { openApiDocument } from '@paywatch/domain/openapi';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { z } from 'zod';

/** A public address of Paywatch with a certificate of its own authority, and one whose certificate has expired. */
export type PublicSite = { url: string; expiredUrl: string; caFile: string; close(): Promise<void> };

/** Serves the description of the API by TLS on 127.0.0.1, as the proxy in front of the API does. */
export async function openPublicSite(): Promise<PublicSite> {
  const folder = temporaryFolder('public-site');
  const authority = await createCertificateAuthority(folder);
  const [valid, expired] = await Promise.all([
    serve(await authority.issue()),
    serve(await authority.issueFaulty('expired')),
  ]);
  return {
    url: urlOf(valid),
    expiredUrl: urlOf(expired),
    caFile: authority.caFile,
    close: async () => {
      for (const server of [valid, expired]) server.close();
      await Promise.all([valid, expired].map((server) => once(server, 'close')));
      removeFolder(folder);
    },
  };
}

async function serve({ certificate, privateKey }: ServerCertificate): Promise<Server> {
  const description = JSON.stringify(openApiDocument({ baseUrl: 'https://localhost', version: '1' }));
  const server = createServer({ cert: certificate, key: privateKey }, (_request, response) =>
    response.end(description),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function urlOf(server: Server): string {
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return `https://localhost:${port}`;
}
