import type { ParkedInvoiceView } from '@paywatch/domain/contract';
import { Moment } from '../../../ui/moment.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { usePages } from '../../api/use-pages.ts';
import { useSubmit, type Submit } from '../../api/use-submit.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { ProblemNotice } from '../../parts/form/form.tsx';
import { Result } from '../../parts/form/result.tsx';
import { LoadMoreButton } from '../../parts/load-more-button.tsx';
import { Empty, Panel, Screen, WhenLoaded } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';
import { AccountLink } from './actions-panel.tsx';
import { OperatorNavigation, type OperatorProps } from './operator-navigation.tsx';
import type { OperatorTexts } from './operator-texts.ts';

/** The invoices whose status cannot be decided, each with a button that tries again. */
export function ParkedInvoicesScreen({ operator, words }: OperatorProps) {
  const parked = usePages((cursor) => operator.listParked({ cursor }), [operator]);
  const retry = useSubmit<ParkedInvoiceView>();
  const onRetry = async (id: string) => {
    await retry.send(() => operator.retryParked(id));
    // Reload after a failure, too: the invoice may have been decided meanwhile.
    await parked.reload();
  };
  const { parkedList } = words;
  return (
    <Screen title={words.parked} testId="parked-invoices">
      <OperatorNavigation words={words} current="parked">
        <Panel>
          <p class="quiet">{parkedList.lead}</p>
          <Outcome retry={retry} words={parkedList} />
          <WhenLoaded loaded={parked}>
            {(invoices) =>
              invoices.length === 0 ? (
                <Empty>{parkedList.empty}</Empty>
              ) : (
                <ParkedTable invoices={invoices} words={words} onRetry={(id) => void onRetry(id)} />
              )
            }
          </WhenLoaded>
          <LoadMoreButton pages={parked} />
        </Panel>
      </OperatorNavigation>
    </Screen>
  );
}

type OutcomeProps = { retry: Submit<ParkedInvoiceView>; words: OperatorTexts['parkedList'] };

function Outcome({ retry: { value, problem }, words }: OutcomeProps) {
  if (problem?.code === 'invoice_not_found') return <Notice tone="waiting">{words.gone}</Notice>;
  if (value === null) return <ProblemNotice problem={problem} />;
  return (
    <Result key={value.public_id}>
      <Notice tone="calm" icon="check" testId="retried">
        {words.retried(value.public_id)}
      </Notice>
    </Result>
  );
}

type TableProps = {
  invoices: readonly ParkedInvoiceView[];
  words: OperatorTexts;
  onRetry: (id: string) => void;
};

function ParkedTable({ invoices, words, onRetry }: TableProps) {
  const { language } = useSignedInAccount();
  const { parkedList: columns } = words;
  return (
    <Table
      label={words.parked}
      testId="parked-table"
      rows={invoices}
      keyOf={({ public_id: id }) => id}
      columns={[
        [columns.invoice, (invoice) => <InvoiceOfAccount invoice={invoice} />],
        [
          columns.error,
          ({ error_class: name, error_message: message }) => <span lang="en">{`${name}: ${message}`}</span>,
        ],
        [
          columns.parkedAt,
          ({ parked_at: at, attempts }) => (
            <>
              <Moment at={at} language={language} />
              <div class="quiet">{columns.attempts(attempts)}</div>
            </>
          ),
        ],
        [columns.next, ({ next_attempt_at: at }) => <Moment at={at} language={language} />],
        [
          columns.retry,
          ({ public_id: id }) => (
            <button
              type="button"
              class="button button--small"
              aria-label={columns.retryOf(id)}
              data-testid="retry-parked"
              onClick={() => onRetry(id)}
            >
              {columns.retry}
            </button>
          ),
        ],
      ]}
    />
  );
}

function InvoiceOfAccount({ invoice: { public_id: id, account } }: { invoice: ParkedInvoiceView }) {
  return (
    <>
      <code dir="ltr">{id}</code>
      <div>
        <AccountLink account={account} />
      </div>
    </>
  );
}
