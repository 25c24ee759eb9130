import { parseArgs } from 'node:util';

/** The options of `npm start`. `port` is null if none was given; `fault` is the error message for a wrong option. */
export type StartArguments = { isOnce: boolean; port: number | null; fault: string | null };

const USAGE = 'npm start -- [--once] [--port N]';

/** Reads `--once` and `--port N`. Pure. */
export function readStartArguments(args: readonly string[]): StartArguments {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { once: { type: 'boolean' }, port: { type: 'string' } },
    });
    const port = values.port === undefined ? null : Number(values.port);
    const isPort = port === null || (Number.isInteger(port) && port > 0 && port < 65_536);
    const fault = isPort ? null : `${values.port} is not a port: ${USAGE}`;
    return { isOnce: values.once ?? false, port, fault };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { isOnce: false, port: null, fault: `${reason}\n${USAGE}` };
  }
}
