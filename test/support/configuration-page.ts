import type { z } from 'zod';

/** The variables of one process, by name. */
export type ProcessVariables = { process: string; shape: z.ZodRawShape };

const HEAD = `# Configuration

Every process reads its configuration from environment variables. For each \`NAME\`, \`NAME_FILE\` may hold the path of a file with the
value instead, so that secrets need not be in the environment. An empty variable counts as unset. All errors of a configuration are
reported together, and the process exits with code 1.

This page is generated from the schemas that validate the variables: run
\`npx vitest run configuration -u\` in \`test/\` after you change one.
`;

const TRACING = `## Tracing

\`OTEL_EXPORTER_OTLP_ENDPOINT\` is the URL of a collector (OTLP over HTTP). Start each process with
\`--import ./packages/runtime/src/observability/instrument.ts\`, as the image does.
`;

/** Generates docs/configuration.md: one table for each set of processes that read the same variables. */
export function configurationPage(processes: readonly ProcessVariables[]): string {
  const names = [...new Set(processes.flatMap(({ shape }) => Object.keys(shape)))];
  const tables = Map.groupBy(names, (name) => readersOf(name, processes));
  const sections = [...tables].map(
    ([readers, listed]) => `## ${titleOf(readers, processes)}\n\n${tableOf(listed, processes)}\n`,
  );
  return [HEAD, ...sections, TRACING].join('\n');
}

function readersOf(name: string, processes: readonly ProcessVariables[]): string {
  return processes.flatMap(({ process, shape }) => (name in shape ? [process] : [])).join(', ');
}

function titleOf(readers: string, processes: readonly ProcessVariables[]): string {
  return readers.split(', ').length === processes.length ? 'Every process' : readers;
}

function tableOf(names: readonly string[], processes: readonly ProcessVariables[]): string {
  const rows = names.map((name) => {
    const readers = schemasOf(name, processes);
    return `| \`${name}\` | ${defaultsOf(readers)} | ${descriptionOf(name, readers)} |`;
  });
  return ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The processes that read a variable, each with its schema. */
export function schemasOf(name: string, processes: readonly ProcessVariables[]): Reader[] {
  return processes.flatMap(({ process, shape }) => {
    const schema = shape[name] as z.ZodType | undefined;
    return schema === undefined ? [] : [{ process, schema }];
  });
}

/** A process that reads a variable, and its schema. */
type Reader = { process: string; schema: z.ZodType };

/** The default, or one per process if they differ. */
function defaultsOf(readers: readonly Reader[]): string {
  const byDefault = Map.groupBy(readers, ({ schema }) => defaultOf(schema));
  if (byDefault.size === 1) return [...byDefault.keys()].join();
  return readers.map(({ process, schema }) => `${defaultOf(schema)} (${process})`).join(', ');
}

/** The description of the first process that has one; throws without any. */
export function descriptionOf(name: string, readers: readonly Reader[]): string {
  const description = readers.map(({ schema }) => schema.description).find((text) => text !== undefined);
  if (description === undefined) throw new Error(`${name} has no description`);
  return description.replaceAll('|', '\\|');
}

/** In backticks; empty for a default that depends on the machine; the description explains it. */
export function defaultOf(schema: z.ZodType): string {
  const { success, data } = schema.safeParse(undefined);
  if (!success) return 'required';
  if (data === undefined || data === null || schema.description?.includes('Default: ')) return '';
  const text = Array.isArray(data) ? data.join(',') : typeof data === 'string' ? data : JSON.stringify(data);
  return text === '' ? '' : `\`${text}\``;
}
