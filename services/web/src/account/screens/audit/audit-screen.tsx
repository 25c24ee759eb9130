import type { AuditAction, AuditLineView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { Moment } from '../../../ui/moment.tsx';
import { usePages } from '../../api/use-pages.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Select, TextInput } from '../../parts/form/form.tsx';
import { DownloadButton } from '../../parts/download-button.tsx';
import { LoadMoreButton } from '../../parts/load-more-button.tsx';
import { Empty, Panel, Screen, WhenLoaded } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';
import { startOfDay } from '../invoices/invoice-filters.ts';
import { ActorCell, ChangeCell } from './audit-cells.tsx';
import { AUDIT_TEXTS, type AuditTexts } from './audit-texts.ts';

type Filter = { readonly action: AuditAction | ''; readonly from: string; readonly to: string };

/** The audit log of the account, by filter, and its download. */
export function AuditScreen() {
  const { api, language } = useSignedInAccount();
  const words = AUDIT_TEXTS[language];
  const [filter, setFilter] = useState<Filter>({ action: '', from: '', to: '' });
  const query = { action: filter.action, from: startOfDay(filter.from, 0), to: startOfDay(filter.to, 1) };
  const lines = usePages((cursor) => api.listAuditLog({ ...query, cursor }), [api, filter]);
  return (
    <Screen title={words.heading} testId="audit">
      <Panel>
        <p class="quiet">{words.about}</p>
        <FilterFields words={words} filter={filter} onChange={setFilter} />
        <Downloads words={words} query={query} />
      </Panel>
      <Panel>
        <WhenLoaded loaded={lines}>
          {(data) =>
            data.length === 0 ? <Empty>{words.empty}</Empty> : <AuditTable words={words} lines={data} />
          }
        </WhenLoaded>
        <LoadMoreButton pages={lines} />
      </Panel>
    </Screen>
  );
}

type FilterProps = { words: AuditTexts; filter: Filter; onChange: (filter: Filter) => void };

function FilterFields({ words, filter, onChange }: FilterProps) {
  const { texts } = useSignedInAccount();
  const actions = Object.entries(words.actions) as [AuditAction, string][];
  return (
    <div class="filters__fields">
      <Select
        id="action"
        label={words.action}
        value={filter.action}
        options={[['', texts.common.any], ...actions]}
        onValue={(action) => onChange({ ...filter, action })}
      />
      <TextInput
        id="from"
        label={words.from}
        type="date"
        value={filter.from}
        onValue={(from) => onChange({ ...filter, from })}
      />
      <TextInput
        id="to"
        label={words.to}
        type="date"
        value={filter.to}
        onValue={(to) => onChange({ ...filter, to })}
      />
    </div>
  );
}

function Downloads({ words, query }: { words: AuditTexts; query: Readonly<Record<string, string>> }) {
  const { api } = useSignedInAccount();
  return (
    <div class="buttons">
      {(['csv', 'jsonl'] as const).map((format) => (
        <DownloadButton
          key={format}
          name={`paywatch-audit-log.${format}`}
          load={() => api.exportAuditLog({ ...query, format })}
          testId={`download-${format}`}
        >
          {words[format]}
        </DownloadButton>
      ))}
    </div>
  );
}

function AuditTable({ words, lines }: { words: AuditTexts; lines: readonly AuditLineView[] }) {
  const { language } = useSignedInAccount();
  const { columns } = words;
  return (
    <Table
      label={words.heading}
      testId="audit-table"
      rows={lines}
      keyOf={({ id }) => id}
      columns={[
        [columns.at, ({ at }) => <Moment at={at} language={language} />],
        [columns.action, ({ action }) => words.actions[action]],
        [columns.actor, (line) => <ActorCell line={line} words={words} />],
        [columns.ip, ({ ip }) => (ip === null ? '–' : <code dir="ltr">{ip}</code>)],
        [columns.change, (line) => <ChangeCell line={line} words={words} />],
      ]}
    />
  );
}
