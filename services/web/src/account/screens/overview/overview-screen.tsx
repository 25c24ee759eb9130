import type { Currency, InvoiceStatus, MeView, StatsView } from '@paywatch/domain/contract';
import { CURRENCIES } from '@paywatch/domain/coins';
import { useEffect } from 'preact/hooks';
import { coinText } from '../../../money/amounts.ts';
import { Moment } from '../../../ui/moment.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useSignedInAccount } from '../../app/account-context.ts';
import { amountBars, amountScale, invoiceBars, invoiceScale } from './chart-bars.ts';
import { AcceptedInFiat } from './accepted-in-fiat.tsx';
import { EndpointState } from '../webhooks/endpoint-state.tsx';
import { InvoiceTable } from '../invoices/invoice-table.tsx';
import { BarChart } from '../../parts/bar-chart.tsx';
import { DeliveryBadge, StatusBadge } from '../../parts/badge.tsx';
import { GapBar } from '../../parts/gap-bar.tsx';
import { May, useMayCall } from '../../parts/may.tsx';
import { Empty, Panel, Screen, WhenLoaded } from '../../parts/panel.tsx';
import { countDone } from '../../app/setup.ts';
import { useInterval, useLoad } from '../../api/use-load.ts';
import { isOnboardingDismissed } from '../start/onboarding-dismissed.ts';

const REFRESH_MS = 30_000;

/** Statistics, endpoint and address pools, open invoices. New accounts are redirected to the guided setup. */
export function OverviewScreen() {
  const { api, texts, setup, navigate } = useSignedInAccount();
  const maySetUp = useMayCall('createApiKey');
  const stats = useLoad(() => api.getStats(), [api]);
  useInterval(REFRESH_MS, true, stats.reload);
  const isNew = maySetUp && countDone(setup) < 2 && !isOnboardingDismissed();
  useEffect(() => {
    if (isNew) navigate('/account/start', { replace: true });
  }, [isNew]);
  return (
    <Screen title={texts.overview.heading} testId="overview">
      <ReversedNotice />
      <WhenLoaded loaded={stats}>{(view) => <Statistics stats={view} />}</WhenLoaded>
      <div class="grid">
        <EndpointPanel />
        <GapPanel />
      </div>
      <OpenInvoices />
    </Screen>
  );
}

function Statistics({ stats }: { stats: StatsView }) {
  const { texts, me } = useSignedInAccount();
  const words = texts.overview;
  return (
    <>
      <div class="grid">
        {currenciesInUse(stats, me).map((currency) => (
          <Panel key={currency} testId={`accepted-${currency}`}>
            <p class="figure__label">{words.accepted(currency)}</p>
            <p class="figure" data-currency={currency}>
              <bdi dir="ltr">{coinText(stats.accepted[currency].amount, currency)}</bdi>
            </p>
            <p class="quiet">{words.acceptedCount(stats.accepted[currency].count)}</p>
            <BarChart
              title={words.chart(currency)}
              bars={amountBars(stats, currency)}
              scale={amountScale(stats, currency)}
              colours={[`bar--${currency.toLowerCase()}`]}
              testId={`chart-${currency}`}
            />
          </Panel>
        ))}
        <AcceptedInFiat stats={stats} />
      </div>
      <Panel title={words.statuses}>
        <StatusCounts statuses={stats.statuses} />
        <BarChart
          title={words.chartInvoices}
          bars={invoiceBars(stats, texts)}
          scale={invoiceScale(stats)}
          colours={['bar--created', 'bar--confirmed']}
          legend={
            <p class="legend" aria-hidden="true">
              <span class="legend__item legend__item--created">{words.created}</span>
              <span class="legend__item legend__item--confirmed">{words.confirmed}</span>
            </p>
          }
          testId="chart-invoices"
        />
      </Panel>
    </>
  );
}

/** The currencies with a wallet or with accepted money. */
function currenciesInUse({ accepted }: StatsView, { project }: MeView): readonly Currency[] {
  return CURRENCIES.filter(
    (currency) =>
      accepted[currency].count > 0 || project.wallets.some((wallet) => wallet.currency === currency),
  );
}

const STATUSES: readonly InvoiceStatus[] = [
  'new',
  'pending',
  'confirmed',
  'underpaid',
  'late_payment',
  'expired',
];

function StatusCounts({ statuses }: { statuses: StatsView['statuses'] }) {
  return (
    <ul class="counts" data-testid="status-counts">
      {STATUSES.map((status) => (
        <li key={status}>
          <a class="counts__link" href={`/account/invoices?status=${status}`}>
            <span class="counts__number">{statuses[status]}</span>
            <StatusBadge status={status} />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Warns about reversed payments, since no webhook reports them. */
function ReversedNotice() {
  const { api, texts } = useSignedInAccount();
  const reversed = useLoad(() => api.listInvoices({ reversed: 'true', limit: '1' }), [api]);
  if (reversed.value === null || reversed.value.data.length === 0) return null;
  return (
    <Notice tone="act" testId="reversed-notice">
      {texts.overview.reversed}{' '}
      <a class="link" href="/account/invoices?reversed=true">
        {texts.overview.reversedLink}
      </a>
    </Notice>
  );
}

function EndpointPanel() {
  const { texts, me } = useSignedInAccount();
  const { webhook } = me.project;
  return (
    <Panel title={texts.overview.endpoint}>
      {webhook === null ? (
        <Empty>
          <p>{texts.overview.endpointNone}</p>
          <May call="createWebhookEndpoint">
            <a class="link" href="/account/webhooks">
              {texts.webhooks.set}
            </a>
          </May>
        </Empty>
      ) : (
        <>
          <EndpointState webhook={webhook} />
          <RecentEvents />
        </>
      )}
    </Panel>
  );
}

/** The last deliveries, so that a broken integration is seen where the merchant looks first. */
function RecentEvents() {
  const { api, texts, language } = useSignedInAccount();
  const events = useLoad(() => api.listEvents({ limit: '3' }), [api]);
  return (
    <>
      <WhenLoaded loaded={events}>
        {({ data }) => (
          <ul class="lines" data-testid="recent-events">
            {data.map(({ id, type, delivery, created_at: at }) => (
              <li key={id} class="lines__line">
                <span>
                  <a class="link" href={`/account/webhooks/${id}`}>
                    {texts.events[type]}
                  </a>{' '}
                  <DeliveryBadge status={delivery.status} />
                </span>
                <Moment at={at} language={language} />
              </li>
            ))}
          </ul>
        )}
      </WhenLoaded>
      <a class="link" href="/account/webhooks">
        {texts.invoice.events}
      </a>
    </>
  );
}

function GapPanel() {
  const { texts, me } = useSignedInAccount();
  const serving = me.project.wallets.filter((wallet) => wallet.serving);
  return (
    <Panel title={texts.overview.gap}>
      {serving.length === 0 ? (
        <Empty>
          <p>{texts.overview.gapNone}</p>
          <May call="createWallet">
            <a class="link" href="/account/wallets">
              {texts.wallets.add}
            </a>
          </May>
        </Empty>
      ) : null}
      {serving.map((wallet) => (
        <div key={wallet.currency}>
          <p class="label">{wallet.currency}</p>
          <GapBar wallet={wallet} />
        </div>
      ))}
    </Panel>
  );
}

function OpenInvoices() {
  const { api, texts } = useSignedInAccount();
  const words = texts.overview;
  const waiting = useLoad(() => api.listInvoices({ status: 'pending', limit: '5' }), [api]);
  const fresh = useLoad(() => api.listInvoices({ status: 'new', limit: '5' }), [api]);
  useInterval(REFRESH_MS, true, async () => {
    await Promise.all([waiting.reload(), fresh.reload()]);
  });
  return (
    <Panel title={words.openInvoices} testId="open-invoices">
      <WhenLoaded loaded={waiting}>
        {(pending) => (
          <WhenLoaded loaded={fresh}>
            {(unpaid) => {
              const open = [...pending.data, ...unpaid.data];
              return open.length === 0 ? (
                <Empty>{words.noOpen}</Empty>
              ) : (
                <InvoiceTable invoices={open} label={words.openInvoices} />
              );
            }}
          </WhenLoaded>
        )}
      </WhenLoaded>
    </Panel>
  );
}
