/** Fields whose value is chance, a secret, a clock's or a network's. */
const VOLATILE = new Set([
  'session_token',
  'token',
  'key_public',
  'secret',
  'donate_token',
  'overlay_token',
  'request_id',
  'duration_ms',
  'block_height',
  'network',
  'explorer_url',
  'url',
  'donate_url',
  'overlay_url',
  // When a key was last used is written a little later than it is used.
  'last_used_at',
  // Lookahead moves on when an address was paid, and what is retired is not counted: the watcher's own time.
  'addresses',
]);

const VOLATILE_TEXT: readonly (readonly [RegExp, string])[] = [
  [/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, '<time>'],
  [/^\d{4}-\d\d-\d\d$/, '<day>'],
  [/\b(inv|evt)_[1-9A-HJ-NP-Za-km-z]+/g, '<$1>'],
  [/\b(bc|bcrt)1[0-9a-z]{20,}/g, '<address>'],
  [/^[0-9a-f]{64}$/, '<hash>'],
  [/^https?:\/\/(pay\.example|127\.0\.0\.1:\d+)/, '<host>'],
];

/**
 * Puts a mark in the place of all that differs from one run to the next; what is left is what an example promises: fields, states,
 * amounts, counts, flags. Of the days of statistics the last is left, since documents show no empty ones. Pure.
 */
export function maskVolatile(value: unknown, field = ''): unknown {
  if (VOLATILE.has(field)) return `<${field}>`;
  if (value === null) return null;
  if (typeof value === 'string')
    return VOLATILE_TEXT.reduce((text, [pattern, mark]) => text.replace(pattern, mark), value);
  if (Array.isArray(value))
    return (field === 'activity' ? value.slice(-1) : value).map((item) => maskVolatile(item));
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskVolatile(inner, name)]));
}
