import type { DonationLinkInfo } from './resources/donations/donations.ts';
import type { ErrorCode } from './error-codes.ts';
import type { PublicPaymentLink } from './resources/payment-links/public-payment-links.ts';
import type { PublicInvoiceView } from './resources/invoices/invoices.ts';
import type { ServiceStatus } from './resources/service-status.ts';
import type { FieldError } from './problem.ts';

/** Who asks for a page: enough to choose its language and to count down from the server's clock. */
export interface PageVisit {
  /** The `lang` of the query, and the header Accept-Language; null where there is none. */
  readonly wantedLanguage: string | null;
  readonly acceptLanguage: string | null;
  /** The server's clock, epoch milliseconds. */
  readonly nowMs: number;
}

/** What a donor typed into the form that was sent without script; `amount` in coins, as typed. */
export interface DonationDraft {
  readonly currency: string;
  readonly amount: string;
  /** The currency of the amount (ISO 4217); empty for coins. */
  readonly unit: string;
  readonly donor_name: string;
  readonly donor_message: string;
}

/** What a buyer typed into the form of a payment link that was sent without script; `amount` as typed. */
export interface PurchaseDraft {
  readonly currency: string;
  readonly amount: string;
}

/** Why something could not be shown or done; `errors` as in a problem document. */
export interface PageProblem {
  readonly code: ErrorCode;
  readonly requestId: string;
  readonly retryAfterSeconds: number | null;
  readonly errors: readonly FieldError[];
}

/**
 * One page and what its first view shows. A null `invoice` or `link` leaves fetching it to the page's script. `sites`: the origins whose
 * pages may frame the document; without them, none may.
 */
export type PageContent =
  | {
      readonly page: 'pay';
      readonly invoice: PublicInvoiceView | null;
      readonly sites?: readonly string[];
    }
  | {
      readonly page: 'donate';
      readonly link: DonationLinkInfo | null;
      /** The absolute URL of the page, for link previews; without it they have no picture. */
      readonly url?: string;
      readonly draft: DonationDraft | null;
      readonly problem: PageProblem | null;
    }
  | {
      readonly page: 'link';
      readonly link: PublicPaymentLink;
      readonly draft: PurchaseDraft | null;
      readonly problem: PageProblem | null;
      readonly sites?: readonly string[];
    }
  /** `manifest`: the path of the web app manifest, which puts the page on the home screen. */
  | { readonly page: 'pos'; readonly link: PublicPaymentLink; readonly manifest: string }
  // `source`: as the query names it; alerts if it names none.
  | { readonly page: 'overlay'; readonly source?: string | null }
  | { readonly page: 'alert-preview' }
  | { readonly page: 'control' }
  /** `hasSession`: the browser sends a session cookie, valid or not. */
  | { readonly page: 'account'; readonly hasSession: boolean }
  | { readonly page: 'status'; readonly status: ServiceStatus }
  | { readonly page: 'problem'; readonly problem: PageProblem };

/** A whole HTML document, and the headers that it must be sent with: its content security policy, what it varies by. */
export interface RenderedPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Renders the first view of a page. What the build of the pages exports and the API calls; pure. */
export type RenderPage = (content: PageContent, visit: PageVisit) => RenderedPage;

/**
 * Converts the donation form of a browser without script into the body of createDonation, not validated yet, and the typed
 * input. Exported by the build of the pages; pure.
 */
export type ReadDonationForm = (fields: Readonly<Record<string, unknown>>) => {
  readonly draft: DonationDraft;
  readonly request: unknown;
};

/** The same for the form of a payment link and buyByPaymentLink. */
export type ReadPurchaseForm = (fields: Readonly<Record<string, unknown>>) => {
  readonly draft: PurchaseDraft;
  readonly request: unknown;
};
