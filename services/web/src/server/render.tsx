import type { PageContent, PageVisit, RenderPage } from '@paywatch/domain/contract';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { chooseLanguage, type Language } from '../ui/language.ts';
import type { PageAssets } from './page-assets.ts';
import {
  accountDocument,
  controlDocument,
  donateDocument,
  linkDocument,
  overlayDocument,
  previewDocument,
  payDocument,
  posDocument,
  problemDocument,
  statusDocument,
} from './page-documents.tsx';
import { pageHeaders } from './page-headers.ts';

export { readDonationForm } from './read-donation-form.ts';
export { readPurchaseForm } from './read-purchase-form.ts';

/** Replaced by the build with the hashed file names. */
declare const PAGE_ASSETS: PageAssets;

/** Renders a page as HTML that works without JavaScript, in the reader's language. */
export const renderPage: RenderPage = (content, visit) => {
  const language = chooseLanguage(visit.wantedLanguage, visit.acceptLanguage);
  const html = `<!doctype html>${renderToString(documentOf(content, visit, language))}`;
  return { html, headers: pageHeaders(content) };
};

function documentOf(content: PageContent, visit: PageVisit, language: Language): VNode {
  const context = { assets: PAGE_ASSETS, language, nowMs: visit.nowMs };
  if (content.page === 'pay') return payDocument(content, context);
  if (content.page === 'donate') return donateDocument(content, context);
  if (content.page === 'link') return linkDocument(content, context);
  if (content.page === 'pos') return posDocument(content, context);
  if (content.page === 'overlay') return overlayDocument(content, context);
  if (content.page === 'alert-preview') return previewDocument(context);
  if (content.page === 'control') return controlDocument(context);
  if (content.page === 'status') return statusDocument(content.status, context);
  if (content.page === 'problem') return problemDocument(content.problem, context);
  return accountDocument(content.hasSession, context);
}
