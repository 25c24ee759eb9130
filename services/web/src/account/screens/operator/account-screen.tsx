import type { OperatedAccountDetails } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { Moment } from '../../../ui/moment.tsx';
import { useLoad } from '../../api/use-load.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Badge } from '../../parts/badge.tsx';
import { Fact, Facts } from '../../parts/facts.tsx';
import { Panel, Screen, WhenLoaded } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';
import { ActorCell, ChangeCell } from '../audit/audit-cells.tsx';
import { AUDIT_TEXTS } from '../audit/audit-texts.ts';
import { UnknownScreen } from '../unknown/unknown-screen.tsx';
import type { AccountProps } from './account-props.ts';
import { AddressLimitForm } from './address-limit-form.tsx';
import { OperatorNavigation, type OperatorProps } from './operator-navigation.tsx';
import type { OperatorTexts } from './operator-texts.ts';
import { ProjectPanel } from './project-panel.tsx';
import { UnlockForm } from './unlock-form.tsx';

/** An account with its projects, and what an operator can change of it. */
export function AccountScreen({ operator, words, id }: OperatorProps & { id: string }) {
  const loaded = useLoad(() => operator.getAccount(id), [operator, id]);
  const [changed, setChanged] = useState<OperatedAccountDetails | null>(null);
  if (loaded.problem?.code === 'account_not_found') return <UnknownScreen />;
  return (
    <Screen title={words.account.heading} testId="operator-account">
      <OperatorNavigation words={words} current="accounts">
        <WhenLoaded loaded={loaded}>
          {(account) => (
            <Details account={changed ?? account} operator={operator} words={words} onChanged={setChanged} />
          )}
        </WhenLoaded>
      </OperatorNavigation>
    </Screen>
  );
}

function Details(props: AccountProps) {
  const { account, words } = props;
  return (
    <>
      <AccountFacts account={account} words={words} />
      {account.projects.map((project) => (
        <ProjectPanel key={project.project_id} project={project} {...props} />
      ))}
      <Panel title={words.limit.heading}>
        <AddressLimitForm {...props} />
      </Panel>
      <Panel title={words.unlock.heading}>
        <UnlockForm {...props} />
      </Panel>
      <Changes account={account} words={words} />
    </>
  );
}

type PartProps = Pick<AccountProps, 'account' | 'words'>;

function AccountFacts({ account, words }: PartProps) {
  const { language } = useSignedInAccount();
  const { account: labels } = words;
  const { derived, limit } = account.addresses;
  return (
    <Panel testId="account-facts">
      <h2 class="panel__title" dir="auto">
        {account.email} {account.is_operator ? <Badge tone="calm">{words.operatorBadge}</Badge> : null}
      </h2>
      <Facts>
        <Fact label={labels.registered}>
          <Moment at={account.created_at} language={language} />
        </Fact>
        <Fact label={labels.verified}>{yesOrNo(account.email_verified, words)}</Fact>
        <Fact label={labels.secondFactor}>{yesOrNo(account.second_factor, words)}</Fact>
        <Fact label={labels.sessions}>{account.sessions}</Fact>
        <Fact label={labels.addresses} testId="address-use">
          {labels.ofLimit(derived, limit)}
        </Fact>
      </Facts>
    </Panel>
  );
}

function yesOrNo(value: boolean, { yes, no }: OperatorTexts): string {
  return value ? yes : no;
}

function Changes({ account: { changes }, words }: PartProps) {
  const { language } = useSignedInAccount();
  const audit = AUDIT_TEXTS[language];
  return (
    <Panel title={words.account.changes}>
      <Table
        label={words.account.changes}
        testId="account-changes"
        rows={changes}
        keyOf={({ id }) => id}
        columns={[
          [audit.columns.at, ({ at }) => <Moment at={at} language={language} />],
          [audit.columns.action, ({ action }) => audit.actions[action]],
          [audit.columns.actor, (line) => <ActorCell line={line} words={audit} />],
          [audit.columns.change, (line) => <ChangeCell line={line} words={audit} />],
        ]}
      />
    </Panel>
  );
}
