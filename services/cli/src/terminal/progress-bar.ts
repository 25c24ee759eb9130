const WIDTH = 24;

/** How far something is, as `[######------] 50/100`. Pure; `done` may pass `total`. */
export function progressBar(done: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.floor(share * WIDTH);
  return `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] ${done}/${Math.max(done, total)}`;
}
