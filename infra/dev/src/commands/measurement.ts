import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { formatFigures, type Figure } from './figures.ts';
import { aborted, interruption } from './interruption.ts';
import { useOneBusyCore } from '../testing/slow-machine.ts';
import { createTerminal, type Terminal } from './terminal.ts';

/** What a measurement is told. */
export type MeasurementOptions = {
  /** How long it should load or trouble the system; undefined leaves it to the measurement. */
  seconds: number | undefined;
  /** The part of the usual size, above 0 and at most 1. */
  share: number;
  /** Repeats the same choices. */
  seed: number;
  /** All of it runs on one core beside a busy loop: what takes its time is no failure. */
  isSlow: boolean;
  terminal: Terminal;
};

/** Starts what it needs, measures, and ends what it started, before it answers or throws. */
export type Measure = (options: MeasurementOptions) => Promise<readonly Figure[]>;

/** A measurement that can be asked for by name; its module is loaded only then. */
export type Measurement = { about: string; load: () => Promise<{ run: Measure }> };

/** A command that runs one measurement of a table. */
export type MeasurementCommand = {
  name: string;
  measurements: Readonly<Record<string, Measurement>>;
  /** Which exit code the figures mean; 0 where it is absent. */
  exitCode?: (figures: readonly Figure[]) => number;
};

/**
 * The whole of `npm run bench` and `npm run chaos`: reads the arguments, runs the measurement that they name, prints its figures,
 * with `--json` one object on the last line, too. Returns the exit code: 2 for arguments that it cannot read, 130 on Ctrl-C.
 */
export async function runMeasurement(command: MeasurementCommand, args: readonly string[]): Promise<number> {
  const asked = readArguments(command, args);
  if (typeof asked === 'string') {
    console.error(`${asked}\n\n${usage(command)}`);
    return 2;
  }
  const interrupted = interruption();
  return Promise.race([measure(command, asked), aborted(interrupted).then(() => 130)]);
}

type Asked = { name: string; measurement: Measurement; isJson: boolean } & Omit<
  MeasurementOptions,
  'terminal'
>;

async function measure(command: MeasurementCommand, asked: Asked): Promise<number> {
  const { name, measurement, isJson, ...options } = asked;
  await using parts = new AsyncDisposableStack();
  if (asked.isSlow) parts.use(await useOneBusyCore());
  const terminal = createTerminal();
  terminal.line(`${command.name} ${name}: ${measurement.about}`);
  terminal.line(`seed ${options.seed}${options.share === 1 ? '' : `, share ${options.share}`}\n`);
  const { run } = await measurement.load();
  const figures = await run({ ...options, terminal });
  terminal.line(`\n${formatFigures(figures)}`);
  if (isJson) {
    const values = Object.fromEntries(figures.map(({ name: figure, value }) => [figure, value]));
    terminal.line(JSON.stringify({ [command.name]: name, seed: options.seed, ...values }));
  }
  return command.exitCode?.(figures) ?? 0;
}

const optionsSchema = z.object({
  json: z.boolean().default(false),
  seconds: z.coerce.number().int().min(1).max(86_400).optional(),
  share: z.coerce.number().positive().max(1).default(1),
  seed: z.coerce.number().int().min(0).max(0xffffffff).optional(),
  slow: z.boolean().default(false),
});

/** What was asked for, or what is wrong with the arguments. */
function readArguments(command: MeasurementCommand, args: readonly string[]): Asked | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        seconds: { type: 'string' },
        share: { type: 'string' },
        seed: { type: 'string' },
        slow: { type: 'boolean' },
      },
    });
    const [name, ...rest] = positionals;
    const measurement = Object.entries(command.measurements).find(([known]) => known === name)?.[1];
    if (name === undefined || rest.length > 0) return 'one name is needed';
    if (measurement === undefined) return `there is no ${command.name} ${name}`;
    const { json, seed = randomInt(2 ** 32), seconds, share, slow } = optionsSchema.parse(values);
    return { name, measurement, isJson: json, seed, seconds, share, isSlow: slow };
  } catch (error) {
    if (error instanceof z.ZodError) return z.prettifyError(error);
    return error instanceof Error ? error.message : String(error);
  }
}

function usage({ name, measurements }: MeasurementCommand): string {
  const width = Math.max(...Object.keys(measurements).map((known) => known.length));
  return [
    `npm run ${name} -- NAME [--json] [--seconds N] [--share 0.1] [--seed N] [--slow]`,
    '',
    ...Object.entries(measurements).map(([known, { about }]) => `  ${known.padEnd(width)}  ${about}`),
  ].join('\n');
}
