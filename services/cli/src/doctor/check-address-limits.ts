import {
  ADDRESS_LIMIT_ADVICE,
  ADDRESS_LIMIT_EMAILS,
  judgeAddressLimits,
  type Finding,
} from '@paywatch/domain/deployment';
import { listLimitedAccounts } from '@paywatch/store/accounts';
import type { Database } from '@paywatch/store/postgres';
import { attempt } from './attempt.ts';

/** Checks for accounts whose address limit stops derivation. Never rejects. */
export function checkAddressLimits(database: Database): Promise<Finding> {
  return attempt('Address limits', ADDRESS_LIMIT_ADVICE, async () =>
    judgeAddressLimits(await listLimitedAccounts(database, ADDRESS_LIMIT_EMAILS)),
  );
}
