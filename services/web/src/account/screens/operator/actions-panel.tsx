import type { OperatorActionView } from '@paywatch/domain/contract';
import { Moment } from '../../../ui/moment.tsx';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Empty, Panel } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';
import { ChangeCell } from '../audit/audit-cells.tsx';
import { AUDIT_TEXTS } from '../audit/audit-texts.ts';
import type { OperatorTexts } from './operator-texts.ts';

type Props = { actions: readonly OperatorActionView[]; words: OperatorTexts['actions'] };

/** The last actions of operators over all accounts. */
export function ActionsPanel({ actions, words }: Props) {
  const { language } = useSignedInAccount();
  const audit = AUDIT_TEXTS[language];
  return (
    <Panel title={words.heading} testId="actions">
      {actions.length === 0 ? (
        <Empty>{words.empty}</Empty>
      ) : (
        <Table
          label={words.heading}
          testId="action-table"
          rows={actions}
          keyOf={({ id }) => id}
          columns={[
            [words.at, ({ at }) => <Moment at={at} language={language} />],
            [words.action, ({ action }) => audit.actions[action]],
            [words.by, ({ actor }) => <bdi>{actor.name ?? words.commandLine}</bdi>],
            [words.account, ({ account }) => <AccountLink account={account} />],
            [words.detail, (line) => <ChangeCell line={line} words={audit} />],
          ]}
        />
      )}
    </Panel>
  );
}

/** A link to an account; a dash for one that is deleted. */
export function AccountLink({ account }: Pick<OperatorActionView, 'account'>) {
  if (account === null) return <>–</>;
  return (
    <a class="link" href={`/account/operator/accounts/${account.account_id}`}>
      <bdi>{account.email}</bdi>
    </a>
  );
}
