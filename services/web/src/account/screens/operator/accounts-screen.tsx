import type { OperatedAccountView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { dayText } from '../../app/day-text.ts';
import { usePages } from '../../api/use-pages.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Badge } from '../../parts/badge.tsx';
import { Form, SubmitButton, TextInput } from '../../parts/form/form.tsx';
import { LoadMoreButton } from '../../parts/load-more-button.tsx';
import { Empty, Panel, Screen, WhenLoaded } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';
import { OperatorNavigation, type OperatorProps } from './operator-navigation.tsx';
import type { OperatorTexts } from './operator-texts.ts';
import { subscriptionText } from './subscription-text.ts';

/** All accounts of the deployment, newest first, with a search. */
export function AccountsScreen({ operator, words }: OperatorProps) {
  const [text, setText] = useState('');
  const accounts = usePages((cursor) => operator.listAccounts({ q: text, cursor }), [operator, text]);
  return (
    <Screen title={words.accounts} testId="operator-accounts-screen">
      <OperatorNavigation words={words} current="accounts">
        <Panel>
          <Search words={words} isSearching={text !== ''} onSearch={setText} />
        </Panel>
        <Panel>
          <WhenLoaded loaded={accounts}>
            {(found) =>
              found.length === 0 ? (
                <Empty>{text === '' ? words.noAccounts : words.found}</Empty>
              ) : (
                <AccountTable accounts={found} words={words} />
              )
            }
          </WhenLoaded>
          <LoadMoreButton pages={accounts} />
        </Panel>
      </OperatorNavigation>
    </Screen>
  );
}

type SearchProps = { words: OperatorTexts; isSearching: boolean; onSearch: (text: string) => void };

function Search({ words, isSearching, onSearch }: SearchProps) {
  const [text, setText] = useState('');
  const show = (next: string) => {
    setText(next);
    onSearch(next.trim());
  };
  return (
    <Form testId="account-search" onSubmit={() => show(text)}>
      <TextInput id="q" label={words.search} value={text} onValue={setText} />
      <div class="buttons">
        <SubmitButton isBusy={false} testId="account-find">
          {words.find}
        </SubmitButton>
        {isSearching ? (
          <button type="button" class="button" data-testid="account-all" onClick={() => show('')}>
            {words.all}
          </button>
        ) : null}
      </div>
    </Form>
  );
}

function AccountTable({
  accounts,
  words,
}: {
  accounts: readonly OperatedAccountView[];
  words: OperatorTexts;
}) {
  const { language } = useSignedInAccount();
  const { columns } = words;
  return (
    <Table
      label={words.accounts}
      testId="account-table"
      rows={accounts}
      keyOf={({ account_id: id }) => id}
      columns={[
        [columns.email, (account) => <Email account={account} words={words} />],
        [columns.project, ({ project_name: name }) => <bdi>{name ?? words.none}</bdi>],
        [
          columns.subscription,
          ({ subscription }) => subscriptionText(subscription, words.subscription, language),
        ],
        [columns.registered, ({ created_at: at }) => dayText(at, language)],
      ]}
    />
  );
}

function Email({ account, words }: { account: OperatedAccountView; words: OperatorTexts }) {
  const { account_id: id, email, is_operator: isOperator } = account;
  return (
    <>
      <a class="link" href={`/account/operator/accounts/${id}`} data-testid="account-link">
        <bdi>{email}</bdi>
      </a>{' '}
      {isOperator ? <Badge tone="calm">{words.operatorBadge}</Badge> : null}
    </>
  );
}
