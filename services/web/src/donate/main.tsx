import '../design/donate.css';
import type { DonationDraft, DonationLinkInfo } from '@paywatch/domain/contract';
import { hydrate, render, type ComponentChild } from 'preact';
import { LoadingView } from '../pay/view/loading-view.tsx';
import { Frame } from '../ui/frame.tsx';
import { loadDonateTexts } from './load-donate-texts.ts';
import { pageData, pageLanguage, pageRoot } from '../ui/page-data.ts';
import { ProblemView } from '../ui/problem/problem-view.tsx';
import { DonateApp } from './donate-app.tsx';
import { fetchDonationLink } from './fetch-donation-link.ts';
import type { DonationFailure } from './donation-failure.ts';

type ServedData = { link: DonationLinkInfo; draft: DonationDraft | null; failure?: DonationFailure };

const RETRY_MS = 3000;
const language = pageLanguage();
const token = location.pathname.split('/').at(-1) ?? '';
const texts = await loadDonateTexts(language);
// The server rendered this data into the page, so it is not validated.
const served = pageData((json) => JSON.parse(json) as ServedData);
if (served === null) void loadLink();
else hydrate(framed(appOf(served.data)), pageRoot());

function appOf({ link, draft, failure }: ServedData): ComponentChild {
  return (
    <DonateApp token={token} link={link} draft={draft} failure={failure} language={language} texts={texts} />
  );
}

/** A static host serves the page without its link: fetch it, and retry until the API responds. */
async function loadLink(): Promise<void> {
  const answer = await fetchDonationLink(token);
  if (answer === 'unreachable') {
    render(framed(<LoadingView texts={texts.pay} isFailing />), pageRoot());
    setTimeout(() => void loadLink(), RETRY_MS);
  } else if (answer === 'unknown') {
    render(framed(<ProblemView code="not_found" requestId={null} texts={texts.problem} />), pageRoot());
  } else render(framed(appOf({ link: answer, draft: null })), pageRoot());
}

function framed(view: ComponentChild): ComponentChild {
  return <Frame language={language}>{view}</Frame>;
}
