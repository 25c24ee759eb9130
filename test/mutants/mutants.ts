/**
 * `npm run mutants`: mutates the rules that money depends on, one small change at a time, and runs their tests. Exits with 1 if a part
 * scores below its minimum, or if a mutant survives that is not listed as equivalent.
 */
import {
  createTerminal,
  interruption,
  type Terminal,
  formatFigures,
  type Figure,
} from '@paywatch/dev/commands';
import { startPostgres, startRedis } from '@paywatch/dev/servers';
import { repositoryFolder } from '@paywatch/dev/stack';
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { mutatedParts, type Part } from './parts.ts';
import { scorePart, type PartScore, type ScoreContext } from './score-part.ts';
import { openVerdictLog } from './verdict-log.ts';
import { copyWorkspace, type WorkspaceCopy } from './workspace-copy.ts';

const LOG = '.paywatch/mutants.jsonl';

const USAGE =
  'npm run mutants -- [--json] [--part NAME] [--files a,b] [--sample N] [--seed N] [--lanes N] [--resume]\n\n' +
  `Results of single mutants are kept in ${LOG}; --resume takes over those whose file and tests have not changed.\n` +
  'Parts: ' +
  mutatedParts()
    .map(({ name }) => name)
    .join(', ');

async function main(args: readonly string[]): Promise<number> {
  const terminal = createTerminal();
  const asked = readArguments(args);
  if (typeof asked === 'string') {
    terminal.line(`${asked}\n\n${USAGE}`);
    return 2;
  }
  terminal.line(`seed ${asked.seed}, at most ${asked.sample} mutants of each part\n`);
  await using resources = new AsyncDisposableStack();
  const env = asked.parts.some(({ needsServers }) => needsServers) ? await startServers(resources) : {};
  const log = openVerdictLog(join(repositoryFolder, LOG), asked.resume);
  const copies = Array.from({ length: asked.lanes }, copyWorkspace);
  const scores: PartScore[] = [];
  for (const part of asked.parts) scores.push(await score(part, copies, asked, { env, terminal, log }));
  report(scores, asked, terminal);
  return scores.every(isAccepted) ? 0 : 1;
}

type Asked = z.infer<typeof optionsSchema> & { parts: Part[]; seed: number };

const optionsSchema = z.object({
  json: z.boolean().default(false),
  part: z.string().optional(),
  files: z
    .string()
    .default('')
    .transform((names) => names.split(',').filter((name) => name !== '')),
  sample: z.coerce.number().int().min(1).default(200),
  seed: z.coerce.number().int().min(0).max(0xffffffff).optional(),
  lanes: z.coerce.number().int().min(1).max(64).default(availableParallelism()),
  resume: z.boolean().default(false),
});

/** Parses the arguments; returns an error message if they are invalid. */
function readArguments(args: readonly string[]): Asked | string {
  try {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean' },
        resume: { type: 'boolean' },
        part: text,
        files: text,
        sample: text,
        seed: text,
        lanes: text,
      },
    });
    const options = optionsSchema.parse(values);
    const parts = mutatedParts().filter(({ name }) => options.part === undefined || name === options.part);
    if (parts.length === 0) return `unknown part ${options.part}`;
    return { ...options, parts, seed: options.seed ?? randomInt(2 ** 32) };
  } catch (error) {
    if (error instanceof z.ZodError) return z.prettifyError(error);
    return error instanceof Error ? error.message : String(error);
  }
}

/** Starts one Postgres and one Redis for all mutants; every test file has its own database. */
async function startServers(resources: AsyncDisposableStack): Promise<Record<string, string>> {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  resources.defer(() => postgres.stop());
  resources.defer(() => redis.stop());
  return { DATABASE_URL: postgres.url, REDIS_URL: redis.url };
}

function score(
  part: Part,
  copies: readonly WorkspaceCopy[],
  asked: Asked,
  context: ScoreContext,
): Promise<PartScore> {
  return context.terminal.step(
    `Mutating ${part.name}`,
    () => scorePart(part, copies, asked, context),
    ({ killed, survived }) => `${killed} killed, ${survived} survived`,
  );
}

function isAccepted({ score: reached, floor, unexplained }: PartScore): boolean {
  return reached >= floor && unexplained.length === 0;
}

function report(scores: readonly PartScore[], { json, seed }: Asked, terminal: Terminal): void {
  const worst = Math.min(...scores.map((part) => part.score));
  terminal.line(`\n${formatFigures(scores.flatMap(figuresOf))}`);
  if (!json) return;
  const parts = scores.map(({ name, killed, survived, score: reached, unexplained }) => [
    name,
    { killed, survived, score: reached, unexplained: unexplained.length },
  ]);
  terminal.line(JSON.stringify({ mutants: Object.fromEntries(parts), seed, worst_score: worst }));
}

function figuresOf({ name, killed, survived, score: reached, floor, unexplained }: PartScore): Figure[] {
  return [
    { name: `${name}.killed`, value: killed },
    { name: `${name}.survived`, value: survived },
    { name: `${name}.unexplained`, value: unexplained.length, reach: { atMost: 0 } },
    { name: `${name}.score`, value: reached, reach: { atLeast: floor } },
  ];
}

interruption().addEventListener('abort', () => process.exit(130));
process.exit(await main(process.argv.slice(2)));
