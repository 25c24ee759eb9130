import { ok, warning, type Finding } from './finding.ts';

const CHECK = 'Address limits';
const SHOWN = 5;

/** What to do about accounts that reached their address limit. */
export const ADDRESS_LIMIT_ADVICE =
  'These accounts derive fewer addresses than their gap limits allow. Payments raise the limit, or use `paywatch accounts limit <email> --addresses <n>`.';

/** How many emails `judgeAddressLimits` needs: one more than it shows. */
export const ADDRESS_LIMIT_EMAILS = SHOWN + 1;

/** Judges by the emails of accounts whose address limit stops derivation. Pure. */
export function judgeAddressLimits(emails: readonly string[]): Finding {
  if (emails.length === 0) return ok(CHECK, 'no account has reached its limit');
  const others = emails.length > SHOWN ? ', …' : '';
  return warning(CHECK, `reached by ${emails.slice(0, SHOWN).join(', ')}${others}`, ADDRESS_LIMIT_ADVICE);
}
