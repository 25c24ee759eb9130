/** Prints the steps of a command: the running one, and the finished ones with their durations. */
export type Terminal = {
  /** Shows a line while `work` runs, then marks it as done; on an error marks it as failed and rethrows. */
  step<T>(title: string, work: () => Promise<T>, result?: (value: T) => string): Promise<T>;
  /** Prints a line for a finished step. */
  done(title: string, durationMs: number): void;
  line(text?: string): void;
};

/** The output, such as process.stdout. */
export type Output = { isTTY?: boolean; write(text: string): unknown };

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** Creates one. On a terminal the running step is animated; in a pipe only finished steps are printed. Respects NO_COLOR. */
export function createTerminal(output: Output = process.stdout): Terminal {
  const isLive = output.isTTY === true;
  const paint = isLive && !process.env['NO_COLOR'] ? color : (_code: number, text: string) => text;
  const finish = (mark: string, title: string, durationMs: number) =>
    output.write(`${isLive ? '\r\u001b[2K' : ''}${mark} ${title} ${paint(2, seconds(durationMs))}\n`);
  const done = (title: string, durationMs: number) => void finish(paint(32, '✓'), title, durationMs);
  return {
    done,
    line: (text = '') => void output.write(`${text}\n`),
    step: async (title, work, result) => {
      const startedMs = performance.now();
      const stopSpinning = isLive ? spin(output, title, startedMs) : () => undefined;
      try {
        const value = await work();
        stopSpinning();
        done(result === undefined ? title : `${title}: ${result(value)}`, performance.now() - startedMs);
        return value;
      } catch (error) {
        stopSpinning();
        finish(paint(31, '✗'), title, performance.now() - startedMs);
        throw error;
      }
    },
  };
}

function spin(output: Output, title: string, startedMs: number): () => void {
  let frame = 0;
  const timer = setInterval(() => {
    frame = (frame + 1) % frames.length;
    const elapsedMs = performance.now() - startedMs;
    output.write(
      `\r\u001b[2K${frames[frame] ?? ''} ${title}${elapsedMs > 1000 ? ` ${seconds(elapsedMs)}` : ''}`,
    );
  }, 80);
  return () => clearInterval(timer);
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}

function color(code: number, text: string): string {
  return `\u001b[${code}m${text}\u001b[0m`;
}
