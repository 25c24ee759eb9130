import '../design/pay.css';
import { hydrate, render } from 'preact';
import { Frame } from '../ui/frame.tsx';
import { pageData, pageLanguage, pageRoot } from '../ui/page-data.ts';
import { ProblemView } from '../ui/problem-view.tsx';
import { fetchInvoice, parseInvoice } from './fetch-public.ts';
import { LoadingView } from './loading-view.tsx';
import { PayApp } from './pay-app.tsx';
import { offsetOfPage } from './server-clock.ts';

const RETRY_MS = 3000;
const language = pageLanguage();
const served = pageData(parseInvoice);
// The donation form may lie behind this page in the history of one document: that is another page than this script's.
addEventListener('popstate', () => location.reload());
if (served === null) void loadInvoice();
else {
  hydrate(
    <Frame language={language}>
      <PayApp
        invoice={served.data}
        renderedAtMs={served.renderedAtMs}
        offsetMs={offsetOfPage(served.renderedAtMs)}
        language={language}
      />
    </Frame>,
    pageRoot(),
  );
}

/** On a static host the page comes without its invoice: it is read here, again until there is an answer. */
async function loadInvoice(): Promise<void> {
  const publicId = location.pathname.split('/').at(-1) ?? '';
  const answer = await fetchInvoice(publicId);
  if (answer.kind === 'unreachable') {
    show(<LoadingView language={language} isFailing />);
    setTimeout(() => void loadInvoice(), RETRY_MS);
  } else if (answer.kind === 'unknown') {
    show(<ProblemView code="invoice_not_found" requestId={null} language={language} />);
  } else {
    const nowMs = answer.serverNowMs ?? Date.now();
    const offsetMs = nowMs - Date.now();
    show(<PayApp invoice={answer.invoice} renderedAtMs={nowMs} offsetMs={offsetMs} language={language} />);
  }
}

function show(view: preact.ComponentChild): void {
  render(<Frame language={language}>{view}</Frame>, pageRoot());
}
