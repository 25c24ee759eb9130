import { ok, warning, type Finding } from '@paywatch/domain/deployment';

const CHECK = 'Node';
/** Older versions lack what the sources use. */
const MIN_MAJOR = 26;

/** Checks the version of Node, such as `v26.10.0`, that runs this command, and with it the services. */
export function checkNode(version: string): Finding {
  const major = Number.parseInt(version.slice(1), 10);
  return major >= MIN_MAJOR
    ? ok(CHECK, version)
    : warning(CHECK, version, `Node before ${MIN_MAJOR} is unsupported. Use the one of node_modules/.bin.`);
}
