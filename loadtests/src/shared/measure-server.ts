import type { MeasuredServer } from '../create-invoice/api-stage.ts';
import { cpuSeconds } from './cpu-time.ts';
import { runHttpLoad, type HttpLoad } from './http-load.ts';

/** Throughput and cost of a server under load. */
export type ServerCost = { perSecond: number; cpuMicroseconds: number };

/** Loads a server for some seconds. Returns its responses per second and the CPU time of its processes per response. */
export async function measureServer(
  { ports, pids }: MeasuredServer,
  load: Omit<HttpLoad, 'ports'>,
  seconds: number,
): Promise<ServerCost> {
  const [startedMs, cpu] = [performance.now(), cpuSeconds(pids)];
  const count = await runHttpLoad({ ...load, ports }, seconds);
  const elapsedSeconds = (performance.now() - startedMs) / 1000;
  return { perSecond: count / elapsedSeconds, cpuMicroseconds: ((cpuSeconds(pids) - cpu) * 1e6) / count };
}
