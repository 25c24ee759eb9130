import type { Readable, Writable } from 'node:stream';
import type { Env } from '../config.ts';
import { failureLines, type Failure } from './failure.ts';

/** Environment and streams of a run; implemented by `process`. */
export type ProcessIo = {
  env: Env;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable;
  stderr: Writable & { isTTY?: boolean };
};

/** Result of a command, as JSON and as text. */
export type Answer = {
  /** Same conventions as the API: snake_case, RFC 3339, amounts as decimal strings. */
  json: unknown;
  text: string;
  /** The command ran, but found a problem: exit code 1. */
  hasProblem?: boolean;
};

/** One run of the command line. */
export type CommandLine = {
  env: Env;
  stdin: ProcessIo['stdin'];
  /** For questions to the operator; results of commands go through `action`. */
  stderr: ProcessIo['stderr'];
  isJson: boolean;
  /** Wraps a function as a commander action that prints its result. */
  action<Args extends unknown[]>(run: (...args: Args) => Promise<Answer>): (...args: Args) => Promise<void>;
  /** Prints a result in place of the previous one: clears the screen of a terminal. JSON is one document per line. */
  showScreen(answer: Answer): void;
  /** Shows a progress line that the next output replaces. Only on a terminal. */
  showProgress(text: string): void;
  printFailure(failure: Failure): void;
  hasFailed(): boolean;
};

const CLEAR_SCREEN = '\u001B[H\u001B[2J\u001B[3J';

/** Starts a run. Answers go to standard output; failures and progress go to standard error. */
export function createCommandLine(io: ProcessIo, args: readonly string[]): CommandLine {
  // Not parsed by commander, so that usage errors are printed as JSON as well.
  const isJson = args.includes('--json');
  const { env, stdin, stdout, stderr } = io;
  const isTerminal = stderr.isTTY === true && !isJson;
  let hasFailed = false;
  const eraseProgress = () => void (isTerminal && stderr.write('\r\u001B[K'));
  const print = (stream: Writable, json: unknown, text: string) => {
    eraseProgress();
    stream.write(isJson ? `${JSON.stringify(json, null, 2)}\n` : `${text}\n`);
  };
  return {
    env,
    stdin,
    stderr,
    isJson,
    action:
      (run) =>
      async (...values) => {
        const answer = await run(...values);
        hasFailed = answer.hasProblem ?? false;
        print(stdout, answer.json, answer.text);
      },
    showScreen: ({ json, text }) =>
      void stdout.write(isJson ? `${JSON.stringify(json)}\n` : `${isTerminal ? CLEAR_SCREEN : ''}${text}\n`),
    showProgress: (text) => void (isTerminal && stderr.write(`\r\u001B[K${text}`)),
    printFailure: (failure) => print(stderr, { error: failure }, failureLines(failure)),
    hasFailed: () => hasFailed,
  };
}
