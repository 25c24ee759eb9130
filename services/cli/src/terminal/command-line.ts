import type { Readable, Writable } from 'node:stream';
import type { Env } from '../config.ts';
import { failureLines, type Failure } from './failure.ts';

/** Where a command is run; `process` is one. */
export type Surroundings = {
  env: Env;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable;
  stderr: Writable & { isTTY?: boolean };
};

/** What a command has to say: the same for people and for programs. */
export type Answer = {
  /** Names and forms as in the API: snake_case, RFC 3339, amounts as decimal strings. */
  json: unknown;
  text: string;
  /** The command did its work, and what it found is a fault: exit code 1. */
  isFault?: boolean;
};

/** One run of the command line. */
export type CommandLine = {
  env: Env;
  stdin: Surroundings['stdin'];
  isJson: boolean;
  /** Makes a commander action of a function that returns an answer, which is printed. */
  action<Args extends unknown[]>(run: (...args: Args) => Promise<Answer>): (...args: Args) => Promise<void>;
  /** Shows a line that the next one replaces, where somebody is watching. */
  showProgress(text: string): void;
  printFailure(failure: Failure): void;
  hasFailed(): boolean;
};

/** Begins a run. Answers go to standard output; failures and progress to standard error, so that pipes stay clean. */
export function createCommandLine(surroundings: Surroundings, args: readonly string[]): CommandLine {
  // Read here and not by commander: what commander refuses is told in JSON, too.
  const isJson = args.includes('--json');
  const { env, stdin, stdout, stderr } = surroundings;
  const isWatched = stderr.isTTY === true && !isJson;
  let hasFailed = false;
  const eraseProgress = () => void (isWatched && stderr.write('\r\u001B[K'));
  const print = (stream: Writable, json: unknown, text: string) => {
    eraseProgress();
    stream.write(isJson ? `${JSON.stringify(json, null, 2)}\n` : `${text}\n`);
  };
  return {
    env,
    stdin,
    isJson,
    action:
      (run) =>
      async (...given) => {
        const answer = await run(...given);
        hasFailed = answer.isFault ?? false;
        print(stdout, answer.json, answer.text);
      },
    showProgress: (text) => void (isWatched && stderr.write(`\r\u001B[K${text}`)),
    printFailure: (failure) => print(stderr, { error: failure }, failureLines(failure)),
    hasFailed: () => hasFailed,
  };
}
