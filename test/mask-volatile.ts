/** Fields with random values, secrets, times or network addresses. */
const VOLATILE = new Set([
  'session_token',
  'token',
  'key_public',
  'secret',
  'otpauth_url',
  'challenge',
  'recovery_codes',
  'donate_token',
  'overlay_token',
  'control_token',
  'request_id',
  'duration_ms',
  'block_height',
  'network',
  'explorer_url',
  'url',
  'donate_url',
  'overlay_url',
  'control_url',
  // The last use of a key is written with a delay.
  'last_used_at',
  'ip',
  'device',
  'ended',
  'last_used_ip',
  // The watcher updates it asynchronously, after a payment and when an address is retired.
  'addresses',
]);

const VOLATILE_TEXT: readonly (readonly [RegExp, string])[] = [
  [/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, '<time>'],
  [/^\d{4}-\d\d-\d\d$/, '<day>'],
  [/\b(inv|evt|plink|upl)_[1-9A-HJ-NP-Za-km-z]+/g, '<$1>'],
  [/^we_[A-Za-z0-9]+$/, '<we>'],
  [/^prj_[0-9a-f]{32}$/, '<prj>'],
  [/\b(bc|bcrt)1[0-9a-z]{20,}/g, '<address>'],
  [/^[0-9a-f]{64}$/, '<hash>'],
  // By which passkeys name an account.
  [/^[A-Za-z0-9_-]{22}$/, '<user>'],
  [/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, '<uuid>'],
  [/^(\d{1,3}\.){3}\d{1,3}$/, '<ip>'],
  [/^https?:\/\/(pay\.example|127\.0\.0\.1:\d+)/, '<host>'],
];

/**
 * Masks all values that differ between runs. The remaining ones are what an example promises: fields, states, amounts, counts, flags.
 * Only the last day of statistics is kept, because the examples show no empty days. Pure.
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
