/** A waiting time in English: `45 seconds`, and whole minutes from two minutes on. */
export function waitTimeEn(seconds: number): string {
  if (seconds >= 120) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

/** The same in German. */
export function waitTimeDe(seconds: number): string {
  if (seconds >= 120) return `${Math.ceil(seconds / 60)} Minuten`;
  return seconds === 1 ? '1 Sekunde' : `${seconds} Sekunden`;
}
