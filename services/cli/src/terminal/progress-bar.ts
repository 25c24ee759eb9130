const WIDTH = 24;

/** Formats progress as `[######------] 50/100`. `done` may exceed `total`. */
export function progressBar(done: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.floor(share * WIDTH);
  return `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] ${done}/${Math.max(done, total)}`;
}
