import { listLimitedAccounts } from '@paywatch/store/accounts';
import type { Database } from '@paywatch/store/postgres';
import { attempt, ok, warning, type Finding } from './finding.ts';

const CHECK = 'Address limits';
const SHOWN = 5;
const ADVICE =
  'Their gap limits are not used to the full. Payments raise the limit; `paywatch accounts limit <email> --addresses <n>` does, too.';

/** Whether the limit of some account keeps its pools from being derived. Never rejects. */
export function checkAddressLimits(database: Database): Promise<Finding> {
  return attempt(CHECK, ADVICE, async () => {
    const emails = await listLimitedAccounts(database, SHOWN + 1);
    if (emails.length === 0) return ok(CHECK, 'no account has reached its limit');
    const others = emails.length > SHOWN ? ', …' : '';
    return warning(CHECK, `reached by ${emails.slice(0, SHOWN).join(', ')}${others}`, ADVICE);
  });
}
