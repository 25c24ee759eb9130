import './link.css';
import type { PublicPaymentLink, PurchaseDraft } from '@paywatch/domain/contract';
import { connectEmbedder } from '../embed/connect-embedder.ts';
import { hydrate } from 'preact';
import { Frame } from '../ui/frame.tsx';
import { pageLanguage, pageRoot } from '../ui/page-data.ts';
import { pageData } from '../ui/rendered-data.ts';
import { LinkApp } from './link-app.tsx';
import { loadLinkTexts } from './load-link-texts.ts';
import type { PurchaseFailure } from './purchase-failure.ts';

type ServedData = { link: PublicPaymentLink; draft: PurchaseDraft | null; failure?: PurchaseFailure };

void connectEmbedder();
const language = pageLanguage();
const token = location.pathname.split('/').at(-1) ?? '';
const texts = await loadLinkTexts(language);
// The server rendered this data into the page, so it is not validated.
const served = pageData((json) => JSON.parse(json) as ServedData);
if (served !== null) {
  const { link, draft, failure } = served.data;
  hydrate(
    <Frame language={language}>
      <LinkApp token={token} link={link} draft={draft} failure={failure} language={language} texts={texts} />
    </Frame>,
    pageRoot(),
  );
}
// A purchase that the browser shows again after "back" may be sold out by now.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
