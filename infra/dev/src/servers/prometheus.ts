import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { acceptsConnections } from './accepts-connections.ts';
import { freePort } from './free-port.ts';
import { findProgram, logTail, startServer } from './server-process.ts';
import { removeFolder, temporaryFolder } from '../testing/temporary-folder.ts';
import { waitUntil } from '../testing/wait-until.ts';

/** A Prometheus that scrapes and evaluates rules every half second. */
export type Prometheus = {
  /** The names of the firing alerts. */
  firing(): Promise<string[]>;
  /** Runs an instant query and returns one value per series. Throws for an invalid expression. */
  query(expression: string): Promise<{ metric: Record<string, string>; value: number }[]>;
  stop(): Promise<void>;
};

/** Whether Debian's package is installed. Only tests of alerts need it. */
export function hasPrometheus(): boolean {
  return findProgram('prometheus') !== undefined;
}

/** Starts Prometheus on a free port of 127.0.0.1 with these rules (YAML) and scrape targets, given as ports by job name. */
export async function startPrometheus(options: {
  rules: string;
  targets: Readonly<Record<string, readonly number[]>>;
}): Promise<Prometheus> {
  const program = findProgram('prometheus');
  if (program === undefined) throw new Error('prometheus is not installed: apt-get install prometheus');
  const folder = temporaryFolder('prometheus');
  const port = await freePort();
  writeFileSync(join(folder, 'rules.yml'), options.rules);
  writeFileSync(join(folder, 'prometheus.yml'), configurationOf(options.targets));
  const server = await startServer({
    name: 'prometheus',
    command: program,
    args: [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    cwd: folder,
    logFile: join(folder, 'prometheus.log'),
  });
  await waitUntil(() => server.hasExited() || acceptsConnections(port), { what: 'Prometheus' });
  if (server.hasExited()) throw new Error(`Prometheus exited during startup:\n${logTail(server.logFile)}`);
  const query = async (expression: string) => {
    const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(expression)}`;
    return readResult(await (await fetch(url)).json());
  };
  return {
    query,
    firing: async () =>
      (await query('ALERTS{alertstate="firing"}')).map(({ metric }) => metric['alertname'] ?? ''),
    stop: async () => {
      await server.stop();
      removeFolder(folder);
    },
  };
}

/** Valid YAML, since YAML includes JSON. */
function configurationOf(targets: Readonly<Record<string, readonly number[]>>): string {
  return JSON.stringify({
    global: { scrape_interval: '500ms', scrape_timeout: '500ms', evaluation_interval: '500ms' },
    rule_files: ['rules.yml'],
    scrape_configs: Object.entries(targets).map(([job, ports]) => ({
      job_name: job,
      static_configs: [{ targets: ports.map((port) => `127.0.0.1:${port}`) }],
    })),
  });
}

/** A number, or "NaN" for a value that does not exist, such as a quantile of no samples. */
const sampleValue = z.string().transform(Number);

const answerShape = z.object({
  status: z.literal('success'),
  data: z.object({
    result: z.array(
      z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), sampleValue]) }),
    ),
  }),
});

function readResult(answer: unknown): { metric: Record<string, string>; value: number }[] {
  return answerShape.parse(answer).data.result.map(({ metric, value }) => ({ metric, value: value[1] }));
}
