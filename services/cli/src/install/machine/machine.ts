import { spawnSync } from 'node:child_process';
import { CommandFailure } from '../../terminal/failure.ts';

/** The result of a program. */
export type Output = { isSuccess: boolean; stdout: string; stderr: string };

/** Runs programs of the machine, as root. */
export type Machine = {
  /** Runs a program; a failure is part of the result. */
  ask(program: string, args: readonly string[], input?: string): Output;
  /** Runs a program. Throws CommandFailure with the end of its errors if it fails. */
  run(program: string, args: readonly string[], input?: string): string;
};

const HOUR_MS = 3_600_000;

/** Programs of this machine. They inherit nothing of our environment but the path, the locale and the proxies of apt. */
export function localMachine(env: NodeJS.ProcessEnv): Machine {
  const inherited = ['PATH', 'http_proxy', 'https_proxy', 'no_proxy'].filter(
    (name) => env[name] !== undefined,
  );
  const environment = {
    ...Object.fromEntries(inherited.map((name) => [name, env[name]])),
    LC_ALL: 'C.UTF-8',
    DEBIAN_FRONTEND: 'noninteractive',
  };
  const ask: Machine['ask'] = (program, args, input = '') => {
    const options = { input, env: environment, encoding: 'utf8', timeout: HOUR_MS, cwd: '/' } as const;
    const { status, stdout, stderr, error } = spawnSync(program, args, options);
    return { isSuccess: status === 0, stdout: stdout ?? '', stderr: stderr || (error?.message ?? '') };
  };
  const run: Machine['run'] = (program, args, input) => {
    const { isSuccess, stdout, stderr } = ask(program, args, input);
    if (!isSuccess)
      throw new CommandFailure(`${program} ${args.slice(0, 3).join(' ')} failed.`, lastLines(stderr));
    return stdout;
  };
  return { ask, run };
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-8).join('\n');
}
