import { failed, ok, skipped, warning, type Finding } from '@paywatch/domain/deployment';
import { once } from 'node:events';
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestSecure } from 'node:https';
import { json } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';
import { isLoopback, systemClock } from '@paywatch/runtime/process';
import { z } from 'zod';
import { readPublicUrlConfig, type Env } from '../config.ts';
import { readMessage } from '../terminal/failure.ts';
import { attempt } from './attempt.ts';

const CHECK = 'Public URL';
const TIMEOUT_MS = 5000;
const DAY_MS = 86_400_000;
/** Automatic renewal begins 30 days before the end, so by then it has failed for two weeks. */
const MIN_DAYS = 14;

/** What a payer's browser meets at PUBLIC_URL. `daysLeft` is null without TLS. */
type Visit = { isPaywatch: boolean; status: number; daysLeft: number | null };

/** Checks that browsers reach Paywatch at PUBLIC_URL, by TLS with a valid certificate that lasts. Never rejects. */
export function checkPublicUrl(env: Env): Promise<Finding> {
  return attempt(CHECK, 'Set PUBLIC_URL to the value of the API.', async () => {
    const { PUBLIC_URL } = readPublicUrlConfig(env);
    if (PUBLIC_URL === undefined) return skipped(CHECK, 'PUBLIC_URL is not set');
    const url = new URL(PUBLIC_URL);
    try {
      return judgeVisit(url, await visit(url));
    } catch (error) {
      const isUntrusted = url.protocol === 'https:' && isCertificateError(error);
      return isUntrusted
        ? failed(CHECK, `${url.host}: ${readMessage(error)}`, CERTIFICATE_ADVICE)
        : warning(CHECK, `${url.host}: ${readMessage(error)}`, UNREACHED_ADVICE);
    }
  });
}

const CERTIFICATE_ADVICE =
  'Browsers refuse this certificate. NODE_EXTRA_CA_CERTS names the authority of a private one.';
const UNREACHED_ADVICE =
  'Not reachable from this machine. Before the first start that is normal; otherwise check the name, the proxy and the firewall.';

/** Judges a visit. Pure. */
export function judgeVisit(url: URL, { isPaywatch, status, daysLeft }: Visit): Finding {
  if (!isPaywatch)
    return warning(
      CHECK,
      `${url.host} responds with ${status}, and not as Paywatch`,
      'Check that the proxy forwards to the API, and that a replica is ready.',
    );
  if (daysLeft === null && !isLoopback(url.hostname))
    return warning(
      CHECK,
      `${url.host} has no TLS`,
      'Passwords and keys travel in the clear, and addresses can be exchanged on the way. Use https (docs/guides/run-it-in-production.md).',
    );
  if (daysLeft !== null && daysLeft < MIN_DAYS)
    return warning(
      CHECK,
      `the certificate of ${url.host} expires in ${daysLeft} days`,
      'Check why it is not renewed: the log of the proxy or of the ACME client says so.',
    );
  return ok(CHECK, daysLeft === null ? url.host : `${url.host}, certificate valid for ${daysLeft} days`);
}

async function visit(url: URL): Promise<Visit> {
  const request = url.protocol === 'https:' ? requestSecure : requestPlain;
  const asking = request(new URL('/v1/openapi.json', url), {
    agent: false,
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  asking.end();
  const [response]: IncomingMessage[] = await once(asking, 'response');
  if (response === undefined) throw new Error('no response');
  const daysLeft = asking.socket instanceof TLSSocket ? daysUntilExpiry(asking.socket) : null;
  return { status: response.statusCode ?? 0, isPaywatch: await isOurs(response), daysLeft };
}

const description = z.object({ info: z.object({ title: z.literal('Paywatch API') }) });

async function isOurs(response: IncomingMessage): Promise<boolean> {
  if (response.statusCode !== 200) {
    response.resume();
    return false;
  }
  const read = await json(response).catch((error: unknown) => {
    if (error instanceof SyntaxError) return null;
    throw error;
  });
  return description.safeParse(read).success;
}

function daysUntilExpiry(socket: TLSSocket): number {
  return Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - systemClock.nowMs()) / DAY_MS);
}

/** OpenSSL's codes for certificates (CERT_HAS_EXPIRED, UNABLE_TO_VERIFY_LEAF_SIGNATURE, …), and Node's for another host. */
function isCertificateError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /CERT|SIGNATURE|ISSUER|ALTNAME/.test(code);
}
