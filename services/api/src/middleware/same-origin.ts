import { AppError } from '@paywatch/domain/requests';
import type { IncomingHttpHeaders } from 'node:http';

const CROSS_ORIGIN =
  'This request came from a page of another site. Link to the page instead, or call the API from a server.';

/** Throws AppError `forbidden` if a page of another origin sent the request. `publicUrl`: the URL of the deployment. */
export function assertSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): void {
  if (isCrossOrigin(headers, publicUrl)) throw new AppError('forbidden', CROSS_ORIGIN);
}

/**
 * Whether a page of the account area of this deployment sent the request. The pages add a header that no form, link or picture can send,
 * and that scripts of another origin may send only after a preflight request, which the API refuses. Pure.
 */
export function isFromAccountPage(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  return headers['x-paywatch-page'] === 'account' && !isCrossOrigin(headers, publicUrl);
}

/**
 * Browsers set these headers and no page can change them: Sec-Fetch-Site for https and localhost, otherwise Origin with every POST.
 * Programs send neither. Pure.
 */
function isCrossOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site !== undefined) return site !== 'same-origin';
  if (origin === undefined) return false;
  // A deployment may also be reached under host names other than the configured one.
  return !URL.canParse(origin) || (origin !== new URL(publicUrl).origin && new URL(origin).host !== host);
}
