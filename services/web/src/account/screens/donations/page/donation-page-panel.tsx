import { useLoad } from '../../../api/use-load.ts';
import { useSignedInAccount } from '../../../app/account-context.ts';
import { Panel, WhenLoaded } from '../../../parts/panel.tsx';
import { PageForm } from './page-form.tsx';
import { PAGE_TEXTS } from './page-texts.ts';
import { QrDownload } from './qr-download.tsx';

/** The settings of the donation page, and its QR code for a stream. */
export function DonationPagePanel() {
  const { api, language, me } = useSignedInAccount();
  const words = PAGE_TEXTS[language];
  const loaded = useLoad(() => api.getDonationPage(), [api]);
  return (
    <Panel
      title={words.heading}
      testId="donation-page"
      actions={<QrDownload url={me.project.donate_url}>{words.qrDownload}</QrDownload>}
    >
      <p>{words.hint}</p>
      <WhenLoaded loaded={loaded}>{(page) => <PageForm loaded={page} words={words} />}</WhenLoaded>
    </Panel>
  );
}
