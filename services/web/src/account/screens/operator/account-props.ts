import type { OperatedAccountDetails } from '@paywatch/domain/contract';
import type { OperatorProps } from './operator-navigation.tsx';

/** What the forms of an account share. `onChanged` shows the account as it is after a change. */
export type AccountProps = OperatorProps & {
  account: OperatedAccountDetails;
  onChanged: (account: OperatedAccountDetails) => void;
};
