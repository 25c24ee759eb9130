import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { callProgram } from '../shared/call-program.ts';
import type { ContainerCommand } from '../shared/containers.ts';

const serviceShape = z.object({
  image: z.string(),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.coerce.string()).default({}),
  profiles: z.array(z.string()).default([]),
  secrets: z.array(z.object({ source: z.string() })).default([]),
  volumes: z.array(z.string()).default([]),
});
const composeShape = z.object({
  services: z.record(z.string(), serviceShape),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
});

type ComposeService = z.infer<typeof serviceShape>;
/** What `docker-compose config` prints: variables are replaced, anchors resolved, and paths absolute. */
export type ParsedCompose = z.infer<typeof composeShape>;

/** Parses the compose file of a folder, with its `.env`, as Docker does before it starts anything. */
export async function parseCompose(folder: string): Promise<ParsedCompose> {
  const text = await callProgram('docker-compose', ['--file', 'compose.yaml', 'config'], { cwd: folder });
  return readCompose(text);
}

export function readCompose(text: string): ParsedCompose {
  return composeShape.parse(parse(text));
}

/** The names of the services that the profiles start. */
export function servicesOf({ services }: ParsedCompose, profiles: readonly string[]): string[] {
  return Object.entries(services)
    .filter(([, service]) => service.profiles.some((profile) => profiles.includes(profile)))
    .map(([name]) => name);
}

/** Folders and files of this machine that services get. */
export type Sources = {
  /** Named volumes are folders below it. */
  volumes: string;
  /** Takes the place of /dev/null: buildah mounts no devices. */
  emptyFile: string;
};

/** How a service runs in a container. */
export function commandOf(
  compose: ParsedCompose,
  name: string,
  { volumes, emptyFile }: Sources,
): Required<Pick<ContainerCommand, 'words' | 'env' | 'mounts'>> {
  const { command, environment, secrets, volumes: mounted } = serviceOf(compose, name);
  const files = secrets.map(({ source }) => {
    const file = secretFile(compose, source);
    return [`/run/secrets/${source}`, file === '/dev/null' ? emptyFile : file];
  });
  const folders = mounted.map((volume) => {
    const [source = '', target = '', mode] = volume.split(':');
    return [
      target,
      `${source.startsWith('/') ? source : join(volumes, source)}${mode === 'ro' ? '' : ':rw'}`,
    ];
  });
  return {
    words: command.map(unescape),
    env: Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, unescape(value)])),
    mounts: Object.fromEntries([...files, ...folders]),
  };
}

function serviceOf({ services }: ParsedCompose, name: string): ComposeService {
  const service = services[name];
  if (service === undefined) throw new Error(`compose.yaml has no service ${name}`);
  return service;
}

function secretFile({ secrets }: ParsedCompose, name: string): string {
  const secret = secrets[name];
  if (secret === undefined) throw new Error(`compose.yaml has no secret ${name}`);
  return secret.file;
}

/** `docker-compose config` escapes what it read, so that its output can be read again. */
function unescape(text: string): string {
  return text.replaceAll('$$', '$');
}

/** Sets variables in `.env`, as an operator edits it. Throws for a name that it does not have. */
export function editSettings(folder: string, settings: Readonly<Record<string, string>>): void {
  const file = join(folder, '.env');
  let text = readFileSync(file, 'utf8');
  for (const [name, value] of Object.entries(settings)) {
    const line = new RegExp(`^(?:# )?${name}=.*$`, 'm');
    if (!line.test(text)) throw new Error(`.env has no line for ${name}`);
    text = text.replace(line, () => `${name}=${value}`);
  }
  writeFileSync(file, text);
}
