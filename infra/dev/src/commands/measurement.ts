import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { formatFigures, type Figure } from './figures.ts';
import { aborted, interruption } from './interruption.ts';
import { disturb, useOneBusyCore } from '../testing/slow-machine.ts';
import { createTerminal, type Terminal } from './terminal.ts';

/** The options of a measurement. */
export type MeasurementOptions = {
  /** Duration of the load or the faults; undefined for the measurement's default. */
  seconds: number | undefined;
  /** Fraction of the usual size, above 0 and at most 1. */
  share: number;
  /** Seed of all random choices. */
  seed: number;
  /** Everything runs on one core beside a busy loop, so slowness is not a failure. */
  isSlow: boolean;
  terminal: Terminal;
};

/** Starts its servers, measures, and stops the servers before it returns or throws. */
export type Measure = (options: MeasurementOptions) => Promise<readonly Figure[]>;

/** A named measurement. Its module is loaded on demand. */
export type Measurement = { about: string; load: () => Promise<{ run: Measure }> };

/** A command and the measurements it can run. */
export type MeasurementCommand = {
  name: string;
  measurements: Readonly<Record<string, Measurement>>;
  /** Derives the exit code from the figures; 0 by default. */
  exitCode?: (figures: readonly Figure[]) => number;
};

/**
 * Implements `npm run bench` and `npm run chaos`: parses the arguments, runs the measurement and prints its figures, with `--json`
 * also as one object on the last line. Returns the exit code: 2 for invalid arguments, 130 on Ctrl-C.
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

type Asked = { name: string; measurement: Measurement; isJson: boolean; isDisturbed: boolean } & Omit<
  MeasurementOptions,
  'terminal'
>;

async function measure(command: MeasurementCommand, asked: Asked): Promise<number> {
  const { name, measurement, isJson, isDisturbed, ...options } = asked;
  await using parts = new AsyncDisposableStack();
  if (asked.isSlow) parts.use(await useOneBusyCore());
  if (isDisturbed) parts.use(await disturb());
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
  disturbed: z.boolean().default(false),
});

/** Parses the arguments; returns an error message if they are invalid. */
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
        disturbed: { type: 'boolean' },
      },
    });
    const [name, ...rest] = positionals;
    const measurement = Object.entries(command.measurements).find(([known]) => known === name)?.[1];
    if (name === undefined || rest.length > 0) return 'give exactly one name';
    if (measurement === undefined) return `there is no ${command.name} ${name}`;
    const { seed = randomInt(2 ** 32), seconds, share, ...flags } = optionsSchema.parse(values);
    const { json: isJson, slow: isSlow, disturbed: isDisturbed } = flags;
    return { name, measurement, isJson, seed, seconds, share, isSlow, isDisturbed };
  } catch (error) {
    if (error instanceof z.ZodError) return z.prettifyError(error);
    return error instanceof Error ? error.message : String(error);
  }
}

function usage({ name, measurements }: MeasurementCommand): string {
  const width = Math.max(...Object.keys(measurements).map((known) => known.length));
  return [
    `npm run ${name} -- NAME [--json] [--seconds N] [--share 0.1] [--seed N] [--slow] [--disturbed]`,
    '',
    ...Object.entries(measurements).map(([known, { about }]) => `  ${known.padEnd(width)}  ${about}`),
  ].join('\n');
}
