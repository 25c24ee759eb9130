import type { PublicInvoiceView, PublicPaymentLink } from '@paywatch/domain/contract';
import type { VNode } from 'preact';
import { hasHead, OrderHead } from '../order/order-head.tsx';
import { hasSummary, OrderSummary } from '../order/order-summary.tsx';
import type { DocumentContext } from './page-documents.tsx';
import { assetsOf, withAccent, withStyles, type PageFiles } from './page-assets.ts';

/** What the server renders around a view, and the files of the page with it. */
export type Surroundings = { assets: PageFiles; before?: VNode; after?: VNode };

type Shown = Pick<PublicInvoiceView, 'branding' | 'project_name' | 'description' | 'lines' | 'price'>;

/** The branding of a project and what a payer buys, around the view of an invoice. */
export function aroundInvoice(shown: Shown, files: PageFiles, context: DocumentContext): Surroundings {
  const { branding, project_name: name, description, lines, price } = shown;
  const { language } = context;
  const head = { branding, name, description };
  const summary = { branding, lines, price, language };
  const parts = {
    ...(hasHead(head) ? { before: <OrderHead {...head} /> } : {}),
    ...(hasSummary(summary) ? { after: <OrderSummary {...summary} /> } : {}),
  };
  const styled =
    Object.keys(parts).length === 0 ? files : withStyles(files, assetsOf(context.assets, 'order', language));
  return { assets: withAccent(styled, branding?.accent_color), ...parts };
}

/** The same around the view of a payment link, which says itself what it sells. */
export function aroundLink(
  { branding, project_name }: Pick<PublicPaymentLink, 'branding' | 'project_name'>,
  files: PageFiles,
  context: DocumentContext,
): Surroundings {
  return aroundInvoice({ branding, project_name, description: null, lines: [], price: null }, files, context);
}
