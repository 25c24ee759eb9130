import { Notice } from '../../../ui/notice.tsx';
import { useSignedInAccount } from '../../app/account-context.ts';
import { InvoiceTable } from '../invoices/invoice-table.tsx';
import { OverlayPanel } from './overlay-panel.tsx';
import { lazy } from '../../parts/lazy.tsx';
import { LoadMoreButton } from '../../parts/load-more-button.tsx';
import { Empty, Panel, Screen, WhenLoaded } from '../../parts/panel.tsx';
import { CopyField } from '../../parts/secret-box.tsx';
import { RotateButton } from './rotate-button.tsx';
import { usePages } from '../../api/use-pages.ts';

// Loaded on demand: the QR encoder is as large as five screens.
const QrCode = lazy(async () => (await import('../../../ui/qr-code.tsx')).QrCode);

/** The donation link, the overlay settings and recent donations. */
export function DonationsScreen() {
  const { api, texts, me } = useSignedInAccount();
  const donations = usePages((cursor) => api.listInvoices({ type: 'donation', limit: '10', cursor }), [api]);
  return (
    <Screen title={texts.donations.heading} testId="donations">
      {me.project.wallets.some(({ verified }) => verified) ? null : (
        <Notice tone="waiting">{texts.donations.needsWallet}</Notice>
      )}
      <LinkPanel />
      <OverlayPanel />
      <Panel title={texts.donations.recent}>
        <WhenLoaded loaded={donations}>
          {(data) =>
            data.length === 0 ? (
              <Empty>{texts.donations.empty}</Empty>
            ) : (
              <InvoiceTable invoices={data} label={texts.donations.recent} />
            )
          }
        </WhenLoaded>
        <LoadMoreButton pages={donations} />
      </Panel>
    </Screen>
  );
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
            <p>
              {words.nameHint}{' '}
              <a class="link" href="/account/settings">
                {words.nameLink}
              </a>
            </p>
          ) : null}
          <CopyField value={url} testId="donate-url" />
          <div class="buttons">
            <a class="button" href={url} target="_blank" rel="noreferrer" data-testid="donate-open">
              {texts.common.open}
            </a>
            <RotateButton kind="donate" />
          </div>
        </div>
        <div class="qr-frame">
          <QrCode text={url} label={words.qr} />
        </div>
      </div>
    </Panel>
  );
}
