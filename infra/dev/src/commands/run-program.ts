import { spawn } from 'node:child_process';

/** Runs a program and waits for its end. Throws with its output if the exit code is not 0. */
export function runProgram(
  command: string,
  args: string[],
  options: { cwd: string; uid?: number; gid?: number; env?: Record<string, string | undefined> },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}:\n${output}`)),
    );
  });
}
