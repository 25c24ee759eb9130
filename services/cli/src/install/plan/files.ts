import { UNITS } from '../paths.ts';
import type { FileStep } from './step.ts';

/** A file of root's, by default readable by everybody. */
export function rootFile(
  path: string,
  content: string,
  { mode = 0o644, owner = 'root:root', isSecret = false, affects = [] as readonly string[] } = {},
): FileStep {
  return { kind: 'file', path, content, mode, owner, isSecret, affects };
}

/** A systemd unit; `affects` names the running units that it describes. */
export function unitFile(name: string, content: string, affects: readonly string[] = []): FileStep {
  return rootFile(`${UNITS}/${name}`, content, { affects });
}
