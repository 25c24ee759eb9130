/** A file with its exact content. `affects` are running units that read it, and are restarted after a change. */
export type FileStep = {
  kind: 'file';
  path: string;
  content: string;
  mode: number;
  owner: string;
  isSecret: boolean;
  affects: readonly string[];
};

/**
 * One thing that shall be true of the machine. The executor compares it with the machine, and changes only what differs; so a plan
 * can be applied any number of times.
 */
export type Step =
  | { kind: 'packages'; names: readonly string[] }
  | { kind: 'user'; name: string }
  | { kind: 'folder'; path: string; mode: number; owner: string }
  | FileStep
  /** A line of a file that belongs to Debian's package. */
  | { kind: 'line'; path: string; line: string; affects: readonly string[] }
  | { kind: 'link'; path: string; target: string }
  /** The role of Postgres that owns the schema and creates the other roles. */
  | { kind: 'role'; name: string; password: string }
  | { kind: 'database'; name: string; owner: string }
  /** Enabled, and running now. */
  | { kind: 'unit'; name: string };

type Descriptions = { [Kind in Step['kind']]: (step: Extract<Step, { kind: Kind }>) => string };

const DESCRIPTIONS: Descriptions = {
  packages: ({ names }) => `install ${names.join(', ')}`,
  user: ({ name }) => `create the system user ${name}`,
  folder: ({ path, mode, owner }) => `make the folder ${path} (${modeText(mode)}, ${owner})`,
  file: ({ path, mode, owner, isSecret }) =>
    `write ${path} (${modeText(mode)}, ${owner}${isSecret ? ', secret' : ''})`,
  line: ({ path, line }) => `add "${line}" to ${path}`,
  link: ({ path, target }) => `link ${path} to ${target}`,
  role: ({ name }) => `create the Postgres role ${name}, or change its password`,
  database: ({ name }) => `create the Postgres database ${name}`,
  unit: ({ name }) => `enable and start ${name}`,
};

/** One line for the operator. Never shows the content of a file or a password. */
export function describeStep(step: Step): string {
  const describe = DESCRIPTIONS[step.kind] as (step: Step) => string;
  return describe(step);
}

/** As in `ls` and `chmod`: 0640. */
function modeText(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}
