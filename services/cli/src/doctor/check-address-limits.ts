import { listLimitedAccounts } from '@paywatch/store/accounts';
import type { Database } from '@paywatch/store/postgres';
import { attempt, ok, warning, type Finding } from './finding.ts';

const CHECK = 'Address limits';
const SHOWN = 5;
const ADVICE =
  'These accounts derive fewer addresses than their gap limits allow. Payments raise the limit, or use `paywatch accounts limit <email> --addresses <n>`.';

/** Checks for accounts whose address limit stops derivation. Never rejects. */
export function checkAddressLimits(database: Database): Promise<Finding> {
  return attempt(CHECK, ADVICE, async () => {
    const emails = await listLimitedAccounts(database, SHOWN + 1);
    if (emails.length === 0) return ok(CHECK, 'no account has reached its limit');
    const others = emails.length > SHOWN ? ', …' : '';
    return warning(CHECK, `reached by ${emails.slice(0, SHOWN).join(', ')}${others}`, ADVICE);
  });
}
