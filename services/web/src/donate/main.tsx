import './donate.css';
import type { DonationDraft, DonationLinkInfo } from '@paywatch/domain/contract';
import { hydrate } from 'preact';
import { Frame } from '../ui/frame.tsx';
import { loadDonateTexts } from './texts/load-donate-texts.ts';
import { pageLanguage, pageRoot } from '../ui/page-data.ts';
import { pageData } from '../ui/rendered-data.ts';
import { DonateApp } from './donate-app.tsx';
import type { DonationFailure } from './form/donation-failure.ts';

type ServedData = { link: DonationLinkInfo; draft: DonationDraft | null; failure?: DonationFailure };

const RETRY_MS = 3000;
const language = pageLanguage();
const token = location.pathname.split('/').at(-1) ?? '';
const texts = await loadDonateTexts(language);
// The server rendered this data into the page, so it is not validated.
const served = pageData((json) => JSON.parse(json) as ServedData);
if (served === null) void showLink();
else {
  const { link, draft, failure } = served.data;
  hydrate(
    <Frame language={language}>
      <DonateApp
        token={token}
        link={link}
        draft={draft}
        failure={failure}
        language={language}
        texts={texts}
      />
    </Frame>,
    pageRoot(),
  );
}

/** A static host serves the page without its link. */
async function showLink(): Promise<void> {
  try {
    await (await import('./show-link.tsx')).showLink(token, language, texts);
  } catch {
    // Its script could not be loaded.
    setTimeout(() => location.reload(), RETRY_MS);
  }
}
