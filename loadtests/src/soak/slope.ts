const HOUR_MS = 3_600_000;

/** The slope of the line through the points by least squares, in units per hour; 0 for fewer than two times. Pure. */
export function slopePerHour(points: readonly { atMs: number; value: number }[]): number {
  const meanAt = mean(points.map(({ atMs }) => atMs));
  const meanValue = mean(points.map(({ value }) => value));
  const spread = sum(points.map(({ atMs }) => (atMs - meanAt) ** 2));
  if (spread === 0) return 0;
  const together = sum(points.map(({ atMs, value }) => (atMs - meanAt) * (value - meanValue)));
  return (together / spread) * HOUR_MS;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
