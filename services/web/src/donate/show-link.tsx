import type { DonationLinkInfo } from '@paywatch/domain/contract';
import { render, type ComponentChild } from 'preact';
import { loadPayTexts } from '../pay/texts/load-pay-texts.ts';
import { LoadingView } from '../pay/view/loading-view.tsx';
import { Frame } from '../ui/frame.tsx';
import type { Language } from '../ui/language.ts';
import { pageRoot } from '../ui/page-data.ts';
import { ProblemView } from '../ui/problem/problem-view.tsx';
import { DonateApp } from './donate-app.tsx';
import type { DonateTexts } from './texts/donate-en.ts';
import { fetchDonationLink } from './start/fetch-donation-link.ts';
import { LatestDonations } from './profile/latest-donations.tsx';
import { Profile } from './profile/profile.tsx';

const RETRY_MS = 3000;

/** Fetches the link that the document lacks, and shows it. Retries until the API responds. */
export async function showLink(token: string, language: Language, texts: DonateTexts): Promise<void> {
  const { pay, problem } = await loadPayTexts(language);
  const show = (view: ComponentChild) => render(<Frame language={language}>{view}</Frame>, pageRoot());
  const answer = await fetchDonationLink(token);
  if (answer === 'unreachable') {
    show(<LoadingView texts={pay} isFailing />);
    setTimeout(() => void showLink(token, language, texts), RETRY_MS);
  } else if (answer === 'unknown') {
    show(<ProblemView code="not_found" requestId={null} texts={problem} />);
  } else {
    showAround(answer, language);
    const rest = { draft: null, failure: undefined, language, texts };
    show(<DonateApp token={token} link={answer} {...rest} />);
  }
}

/** Where the server puts it: around the view that the script owns. */
function showAround(link: DonationLinkInfo, language: Language): void {
  const [before, after] = [new DocumentFragment(), new DocumentFragment()];
  render(<Profile link={link} language={language} />, before);
  render(<LatestDonations link={link} language={language} />, after);
  pageRoot().before(before);
  pageRoot().after(after);
}
