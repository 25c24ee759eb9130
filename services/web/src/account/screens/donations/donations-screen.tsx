import type { InvoiceStatus, InvoiceView } from '@paywatch/domain/contract';
import { Notice } from '../../../ui/notice.tsx';
import { useSignedInAccount } from '../../app/account-context.ts';
import type { AccountApi } from '../../api/api.ts';
import type { ApiResult } from '../../api/api-call.ts';
import { useLoad } from '../../api/use-load.ts';
import { DonationTable } from './donation-table.tsx';
import { OverlayPanel } from './overlay-panel.tsx';
import { lazy } from '../../parts/lazy.tsx';
import { May } from '../../parts/may.tsx';
import { Empty, Panel, Screen, WhenLoaded } from '../../parts/panel.tsx';
import { CopyField } from '../../parts/secret-box.tsx';
import { RotateButton } from './rotate-button.tsx';

// Loaded on demand: the QR encoder is as large as five screens.
const QrCode = lazy(async () => (await import('../../../ui/qr-code.tsx')).QrCode);

// Loaded on demand, with their texts.
const DonationPagePanel = lazy(
  async () => (await import('./page/donation-page-panel.tsx')).DonationPagePanel,
);
const ModerationPanel = lazy(async () => (await import('./moderation/moderation-panel.tsx')).ModerationPanel);

// Loaded on demand, with its texts.
const SourcesPanel = lazy(async () => (await import('./sources/sources-panel.tsx')).SourcesPanel);

// Loaded on demand, with its texts.
const DonorTextsPanel = lazy(async () => (await import('./texts/donor-texts-panel.tsx')).DonorTextsPanel);

/** The donation link, the overlay settings and recent donations. */
export function DonationsScreen() {
  const { api, texts, me } = useSignedInAccount();
  const donations = useLoad(() => loadArrived(api), [api]);
  return (
    <Screen title={texts.donations.heading} testId="donations">
      {me.project.wallets.some(({ serving }) => serving) ? null : (
        <Notice tone="waiting">{texts.donations.needsWallet}</Notice>
      )}
      <LinkPanel />
      <May call="updateOverlaySettings">
        <DonationPagePanel />
        <OverlayPanel />
        <SourcesPanel />
        <ModerationPanel />
        <DonorTextsPanel />
      </May>
      <Panel title={texts.donations.recent}>
        <WhenLoaded loaded={donations}>
          {(data) =>
            data.length === 0 ? <Empty>{texts.donations.empty}</Empty> : <DonationTable donations={data} />
          }
        </WhenLoaded>
        <p>
          <a class="link" href="/account/invoices?type=donation">
            {texts.donations.all}
          </a>
        </p>
      </Panel>
    </Screen>
  );
}

const RECENT = 10;

/** The newest donations that arrived, also those that were late. */
async function loadArrived(api: AccountApi): Promise<ApiResult<readonly InvoiceView[]>> {
  const list = (status: InvoiceStatus) =>
    api.listInvoices({ type: 'donation', status, limit: String(RECENT) });
  const [confirmed, late] = await Promise.all([list('confirmed'), list('late_payment')]);
  if (!confirmed.ok) return confirmed;
  if (!late.ok) return late;
  const newestFirst = [...confirmed.value.data, ...late.value.data].toSorted((a, b) =>
    b.created_at.localeCompare(a.created_at),
  );
  return { ok: true, value: newestFirst.slice(0, RECENT) };
}

function LinkPanel() {
  const { texts, me } = useSignedInAccount();
  const { donate_url: url, name } = me.project;
  const words = texts.donations;
  return (
    <Panel title={words.link} testId="donation-link">
      <div class="donation-link">
        <div class="stack">
          <p>{words.linkHint}</p>
          {name === null ? (
            <May call="updateProject">
              <p>
                {words.nameHint}{' '}
                <a class="link" href="/account/settings">
                  {words.nameLink}
                </a>
              </p>
            </May>
          ) : null}
          <CopyField value={url} testId="donate-url" />
          <div class="buttons">
            <a class="button" href={url} target="_blank" rel="noreferrer" data-testid="donate-open">
              {texts.common.open}
            </a>
            <May call="rotateProjectToken">
              <RotateButton kind="donate" />
            </May>
          </div>
        </div>
        <div class="qr-frame">
          <QrCode text={url} label={words.qr} />
        </div>
      </div>
    </Panel>
  );
}
