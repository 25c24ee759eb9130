import type { PageContent, PageProblem, ServiceStatus } from '@paywatch/domain/contract';
import { OVERLAY_SOURCES, type OverlaySource } from '@paywatch/domain/overlay';
import type { VNode } from 'preact';
import { AccountShell } from './account-shell.tsx';
import { controlDe } from '../control/control-de.ts';
import { controlEn, type ControlTexts } from '../control/control-en.ts';
import { DonateApp } from '../donate/donate-app.tsx';
import { LatestDonations } from '../donate/profile/latest-donations.tsx';
import { Profile } from '../donate/profile/profile.tsx';
import { LinkApp } from '../link/link-app.tsx';
import { isFinalStatus, payStage } from '../pay/pay-stage.ts';
import { LoadingView } from '../pay/view/loading-view.tsx';
import { documentTitle } from '../pay/stage-text.ts';
import { PayApp } from '../pay/view/pay-app.tsx';
import type { Language } from '../ui/language.ts';
import { OVERLAY_TITLES } from '../overlay/overlay-texts.ts';
import { SOURCE_TEXTS } from '../overlay/sources/source-texts.ts';
import { PosApp } from '../pos/pos-app.tsx';
import { LINK_TEXTS, PAGE_TEXTS, POS_TEXTS } from './page-texts.ts';
import { Frame } from '../ui/frame.tsx';
import { StatusView } from '../status/status-view.tsx';
import { STATUS_TEXTS } from '../status/status-texts.ts';
import { ProblemView } from '../ui/problem/problem-view.tsx';
import { problemText } from '../ui/problem/problem-text.ts';
import { aroundInvoice, aroundLink } from './branded.tsx';
import { Document } from './document.tsx';
import { previewOf } from './link-preview.tsx';
import { assetsOf, withAccent, type PageAssets } from './page-assets.ts';

/** What every document needs besides its content. */
export type DocumentContext = {
  readonly assets: PageAssets;
  readonly language: Language;
  /** Epoch milliseconds. */
  readonly nowMs: number;
};

/** The browsers load only the texts of their own language. */
const CONTROL_TITLES: Readonly<Record<Language, ControlTexts>> = { en: controlEn, de: controlDe };

/** How often browsers without JavaScript reload a payment page that may still change. */
const REFRESH_SECONDS = 20;

type PayContent = Extract<PageContent, { page: 'pay' }>;

/** The payment page; without an invoice, the shell that a static host serves for every invoice. */
export function payDocument({ invoice, sites = [] }: PayContent, context: DocumentContext): VNode {
  const { language, nowMs } = context;
  const assets = assetsOf(context.assets, 'pay', language);
  const texts = PAGE_TEXTS[language].pay;
  if (invoice === null) {
    return (
      <Document language={language} title={texts.payment} assets={assets}>
        <Frame language={language}>
          <LoadingView texts={texts} />
        </Frame>
      </Document>
    );
  }
  return (
    <Document
      language={language}
      title={documentTitle(texts, payStage(invoice, nowMs), invoice)}
      {...aroundInvoice(invoice, assets, context)}
      refreshSeconds={isFinalStatus(invoice.status) ? null : REFRESH_SECONDS}
      data={invoice}
      sites={sites}
      renderedAtMs={nowMs}
    >
      <Frame language={language}>
        <PayApp invoice={invoice} renderedAtMs={nowMs} offsetMs={0} language={language} texts={texts} />
      </Frame>
    </Document>
  );
}

type DonateContent = Extract<PageContent, { page: 'donate' }>;

/** The donation page. `draft` and `problem` hold a rejected submission from a browser without JavaScript. */
export function donateDocument(
  { link, draft, problem, url }: DonateContent,
  context: DocumentContext,
): VNode {
  const { language, nowMs } = context;
  const assets = assetsOf(context.assets, 'donate', language);
  const texts = PAGE_TEXTS[language];
  if (link === null) {
    return (
      <Document language={language} title={texts.donate.heading(null)} assets={assets}>
        <Frame language={language}>
          <LoadingView texts={texts.pay} />
        </Frame>
      </Document>
    );
  }
  const failure = problem ?? undefined;
  const title = texts.donate.heading(link.project_name);
  return (
    <Document
      language={language}
      title={title}
      assets={withAccent(assets, link.accent_color)}
      preview={previewOf(link, { title, url: url ?? null, language, linkImage: assets.linkImage })}
      data={{ link, draft, failure }}
      renderedAtMs={nowMs}
      before={<Profile link={link} language={language} />}
      after={<LatestDonations link={link} language={language} />}
    >
      <Frame language={language}>
        <DonateApp
          token=""
          link={link}
          draft={draft}
          failure={failure}
          language={language}
          texts={texts.donate}
        />
      </Frame>
    </Document>
  );
}

type LinkContent = Extract<PageContent, { page: 'link' }>;

/** The page of a payment link. `draft` and `problem` hold a rejected submission from a browser without JavaScript. */
export function linkDocument(content: LinkContent, context: DocumentContext): VNode {
  const { link, draft, problem, sites = [] } = content;
  const { language, nowMs } = context;
  const failure = problem ?? undefined;
  const texts = LINK_TEXTS[language];
  return (
    <Document
      language={language}
      title={link.title}
      {...aroundLink(link, assetsOf(context.assets, 'link', language), context)}
      data={{ link, draft, failure }}
      sites={sites}
      renderedAtMs={nowMs}
    >
      <Frame language={language}>
        <LinkApp token="" link={link} draft={draft} failure={failure} language={language} texts={texts} />
      </Frame>
    </Document>
  );
}

type PosContent = Extract<PageContent, { page: 'pos' }>;

/** The point of sale: a payment link on the phone of its seller. */
export function posDocument({ link, manifest }: PosContent, context: DocumentContext): VNode {
  const { language, nowMs } = context;
  const texts = { pos: POS_TEXTS[language], link: LINK_TEXTS[language] };
  return (
    <Document
      language={language}
      title={`${texts.pos.heading}: ${link.title}`}
      assets={assetsOf(context.assets, 'pos', language)}
      manifest={manifest}
      data={{ link }}
      renderedAtMs={nowMs}
    >
      <Frame language={language}>
        <PosApp token="" link={link} language={language} texts={texts} />
      </Frame>
    </Document>
  );
}

type OverlayContent = Extract<PageContent, { page: 'overlay' }>;

/** The page of each browser source beside the alerts. */
const SOURCE_PAGES = {
  latest: 'overlayLatest',
  ticker: 'overlayLatest',
  goal: 'overlaySummary',
  top: 'overlaySummary',
  counter: 'overlaySummary',
} as const satisfies Record<OverlaySource, string>;

/** A browser source, empty until its script shows something. */
export function overlayDocument({ source }: OverlayContent, { assets, language }: DocumentContext): VNode {
  const known = OVERLAY_SOURCES.find((name) => name === source);
  return (
    <Document
      language={language}
      title={known ? SOURCE_TEXTS[language].titles[known] : OVERLAY_TITLES[language]}
      assets={assetsOf(assets, known ? SOURCE_PAGES[known] : 'overlay', language)}
      colorScheme="only light"
      role="main"
    />
  );
}

/** The frame in which the donation page previews an alert. */
export function previewDocument({ assets, language }: DocumentContext): VNode {
  return (
    <Document
      language={language}
      title={OVERLAY_TITLES[language]}
      assets={assetsOf(assets, 'preview', language)}
      colorScheme="only light"
      role="main"
    />
  );
}

/** The control page of moderators, rendered by its script. */
export function controlDocument({ assets, language }: DocumentContext): VNode {
  const { title } = CONTROL_TITLES[language];
  return (
    <Document language={language} title={title(null)} assets={assetsOf(assets, 'control', language)}>
      <Frame language={language}>
        <AccountShell language={language} />
      </Frame>
    </Document>
  );
}

/** The account area, rendered by its script after login. */
export function accountDocument(hasSession: boolean, { assets, language }: DocumentContext): VNode {
  const files = assetsOf(assets, 'account', language, { hasSession });
  return (
    <Document language={language} title="Paywatch" assets={files}>
      <Frame language={language}>
        <AccountShell language={language} />
      </Frame>
    </Document>
  );
}

/** The error page, with the request ID to quote and without a script. */
export function problemDocument(problem: PageProblem, { assets, language }: DocumentContext): VNode {
  const { code, requestId } = problem;
  const texts = PAGE_TEXTS[language].problem;
  return (
    <Document
      language={language}
      title={problemText(code, texts).title}
      assets={assetsOf(assets, 'pay', language)}
      hasScript={false}
    >
      <Frame language={language}>
        <ProblemView code={code} requestId={requestId} texts={texts} />
      </Frame>
    </Document>
  );
}

/** The status page, without a script. */
export function statusDocument(status: ServiceStatus, { assets, language }: DocumentContext): VNode {
  return (
    <Document
      language={language}
      title={`${STATUS_TEXTS[language].title} – Paywatch`}
      assets={assetsOf(assets, 'status', language)}
      hasScript={false}
    >
      <Frame language={language}>
        <StatusView status={status} language={language} />
      </Frame>
    </Document>
  );
}
