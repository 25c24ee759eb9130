/*
 * Loaded before a service (`--import`): its clock is wrong by `CLOCK_SKEW_MS`, ahead, behind or not at all, by its process id, so that
 * every start of it has another one. The process cannot tell: whatever it knows of the time of day comes from here.
 */

/** By how much the clock of a process is ahead, milliseconds; behind where it is negative. */
export function skewOf(pid: number, mostMs: number): number {
  return [0, mostMs, -mostMs][pid % 3] ?? 0;
}

const skewMs = skewOf(process.pid, Number(process.env['CLOCK_SKEW_MS'] ?? '0'));
const TrueDate = Date;

class SkewedDate extends TrueDate {
  constructor(...given: [] | [number | string | Date]) {
    if (given.length === 0) super(TrueDate.now() + skewMs);
    // A month and what follows it are given one by one, too.
    else super(...given);
  }

  static override now(): number {
    return TrueDate.now() + skewMs;
  }
}

if (skewMs !== 0) globalThis.Date = SkewedDate as DateConstructor;
