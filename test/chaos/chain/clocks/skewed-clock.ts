/**
 * Loaded before a service (`--import`): shifts its clock by `CLOCK_SKEW_MS` ahead, back or not at all, depending on the process
 * id, so that each start has another skew. All clocks of the process are shifted.
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
