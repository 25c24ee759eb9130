import type { Readable, Writable } from 'node:stream';
import { failureLines, type Failure } from './failure.ts';

/** Where a command reads and writes; `process` is one. */
export type Terminal = {
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
  terminal: Terminal;
  isJson: boolean;
  /** Makes a commander action of a function that returns an answer, which is printed. */
  action<Args extends unknown[]>(run: (...args: Args) => Promise<Answer>): (...args: Args) => Promise<void>;
  /** Shows a line that the next one replaces, where somebody is watching. */
  showProgress(text: string): void;
  printFailure(failure: Failure): void;
  hasFailed(): boolean;
};

/** Begins a run. Answers go to standard output; failures and progress to standard error, so that pipes stay clean. */
export function createCommandLine(terminal: Terminal, args: readonly string[]): CommandLine {
  // Read here and not by commander: what commander refuses is told in JSON, too.
  const isJson = args.includes('--json');
  const isWatched = terminal.stderr.isTTY === true && !isJson;
  let hasFailed = false;
  const eraseProgress = () => void (isWatched && terminal.stderr.write('\r\u001B[K'));
  const print = (stream: Writable, json: unknown, text: string) => {
    eraseProgress();
    stream.write(isJson ? `${JSON.stringify(json, null, 2)}\n` : `${text}\n`);
  };
  return {
    terminal,
    isJson,
    action:
      (run) =>
      async (...given) => {
        const answer = await run(...given);
        hasFailed = answer.isFault ?? false;
        print(terminal.stdout, answer.json, answer.text);
      },
    showProgress: (text) => void (isWatched && terminal.stderr.write(`\r\u001B[K${text}`)),
    printFailure: (failure) => print(terminal.stderr, { error: failure }, failureLines(failure)),
    hasFailed: () => hasFailed,
  };
}
