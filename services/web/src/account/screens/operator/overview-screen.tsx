import type { OperatorOverview } from '@paywatch/domain/contract';
import { Moment } from '../../../ui/moment.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useInterval, useLoad } from '../../api/use-load.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Badge } from '../../parts/badge.tsx';
import { Empty, Panel, Screen, WhenLoaded } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';
import { ActionsPanel } from './actions-panel.tsx';
import { ChecksPanel } from './checks-panel.tsx';
import { OperatorNavigation, type OperatorProps } from './operator-navigation.tsx';
import type { OperatorTexts } from './operator-texts.ts';

/** The API reads the state anew at most every five seconds. */
const REFRESH_MS = 10_000;

/** The state of the deployment, kept up to date while it is shown. */
export function OverviewScreen({ operator, words }: OperatorProps) {
  const loaded = useLoad(() => operator.getOverview(), [operator]);
  useInterval(REFRESH_MS, loaded.value !== null, loaded.reload);
  return (
    <Screen title={words.area} testId="operator">
      <OperatorNavigation words={words} current="overview">
        <WhenLoaded loaded={loaded}>
          {(overview) => <Overview overview={overview} words={words} />}
        </WhenLoaded>
      </OperatorNavigation>
    </Screen>
  );
}

type PartProps = { overview: OperatorOverview; words: OperatorTexts };

function Overview({ overview, words }: PartProps) {
  return (
    <>
      <Problems overview={overview} words={words} />
      <Chains overview={overview} words={words} />
      <Queues overview={overview} words={words} />
      <Pools overview={overview} words={words} />
      <Incidents overview={overview} words={words} />
      <ChecksPanel findings={overview.findings} words={words.checks} />
      <ActionsPanel actions={overview.actions} words={words.actions} />
    </>
  );
}

function Problems({ overview: { problems, checked_at: at }, words }: PartProps) {
  const { language } = useSignedInAccount();
  return (
    <Panel {...(problems.length > 0 && { title: words.problems })} testId="problems">
      {problems.length === 0 ? (
        <Notice tone="calm" icon="check" testId="healthy">
          {words.healthy}
        </Notice>
      ) : (
        <ul>
          {problems.map((problem) => (
            <li key={problem.text}>{words.problem[problem.code](problem)}</li>
          ))}
        </ul>
      )}
      <p class="quiet">
        {words.checkedAt} <Moment at={at} language={language} />
      </p>
    </Panel>
  );
}

type Chain = OperatorOverview['chains'][number];

function Chains({ overview: { chains }, words: { chains: words } }: PartProps) {
  const { language } = useSignedInAccount();
  return (
    <Panel title={words.heading}>
      {chains.length === 0 ? (
        <Empty>{words.empty}</Empty>
      ) : (
        <Table
          label={words.heading}
          testId="chains"
          rows={chains}
          keyOf={({ currency }) => currency}
          columns={[
            [words.chain, ({ currency, network }) => `${currency} ${network}`],
            [
              words.block,
              ({ tip_height: tip, blocks_behind: behind }) =>
                behind > 0 ? `${tip} (${words.behind(behind)})` : tip,
            ],
            [words.readAt, ({ read_at: at }) => <Moment at={at} language={language} />],
            [words.state, (chain) => <ChainBadge chain={chain} words={words} />],
            [words.sources, (chain) => <Sources chain={chain} words={words} />],
            [words.decisions, ({ decisions_due: due }) => due],
          ]}
        />
      )}
    </Panel>
  );
}

type ChainProps = { chain: Chain; words: OperatorTexts['chains'] };

function ChainBadge({ chain: { fresh, leader }, words }: ChainProps) {
  if (!leader) return <Badge tone="act">{words.noLeader}</Badge>;
  return fresh ? <Badge tone="done">{words.fresh}</Badge> : <Badge tone="act">{words.stale}</Badge>;
}

function Sources({ chain: { sources }, words }: ChainProps) {
  if (sources.length === 0) return <>–</>;
  return (
    <>
      {sources.map(({ name, usable }) => (
        <div key={name}>
          <code dir="ltr">{name}</code> {usable ? null : <Badge tone="act">{words.unusable}</Badge>}
        </div>
      ))}
    </>
  );
}

function Queues({ overview: { webhooks, mail }, words: { queues: words } }: PartProps) {
  const rows = [
    { name: words.webhooks, ...webhooks },
    ...(mail === null ? [] : [{ name: words.mail, pending: null, failing: null, ...mail }]),
  ];
  return (
    <Panel title={words.heading}>
      <Table
        label={words.heading}
        testId="queues"
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          [words.queue, ({ name }) => name],
          [words.due, ({ due }) => due],
          [words.pending, ({ pending }) => pending ?? '–'],
          [words.failing, ({ failing }) => failing ?? '–'],
          [words.oldest, ({ lag_seconds: lag }) => words.lag(lag)],
        ]}
      />
      {mail === null ? <p class="quiet">{words.mailOff}</p> : null}
    </Panel>
  );
}

function Pools({ overview: { pools }, words: { pools: words } }: PartProps) {
  return (
    <Panel title={words.heading}>
      {pools.length === 0 ? (
        <Empty>{words.empty}</Empty>
      ) : (
        <Table
          label={words.heading}
          testId="pools"
          rows={pools}
          keyOf={({ currency }) => currency}
          columns={[
            [words.currency, ({ currency }) => currency],
            [words.ample, ({ ample }) => ample],
            [words.low, ({ low }) => low],
            [words.dry, ({ dry }) => dry],
            [words.free, ({ free_addresses: free }) => free],
          ]}
        />
      )}
    </Panel>
  );
}

function Incidents({ overview: { incidents }, words: { incidents: words } }: PartProps) {
  const { language } = useSignedInAccount();
  return (
    <Panel title={words.heading}>
      {incidents.length === 0 ? (
        <Empty>{words.empty}</Empty>
      ) : (
        <Table
          label={words.heading}
          testId="incidents"
          rows={incidents}
          keyOf={({ component, started_at: at }) => `${component} ${at}`}
          columns={[
            [words.part, ({ component }) => words.parts[component]],
            [words.started, ({ started_at: at }) => <Moment at={at} language={language} />],
            [
              words.ended,
              ({ ended_at: at }) =>
                at === null ? (
                  <Badge tone="act">{words.lasts}</Badge>
                ) : (
                  <Moment at={at} language={language} />
                ),
            ],
          ]}
        />
      )}
    </Panel>
  );
}
