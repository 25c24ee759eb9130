import { AppError } from '@paywatch/domain/requests';
import type { IncomingHttpHeaders } from 'node:http';

const CROSS_ORIGIN =
  'This request came from a page of another site. Link to the donation page instead, or call the API from a server.';

/** Throws AppError `forbidden` if a page of another origin sent the request. `publicUrl`: the URL of the deployment. */
export function assertSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): void {
  if (isCrossOrigin(headers, publicUrl)) throw new AppError('forbidden', CROSS_ORIGIN);
}

/**
 * Browsers set these headers and no page can change them: Sec-Fetch-Site for https and localhost, otherwise Origin with every POST.
 * Programs send neither. Pure.
 */
function isCrossOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site !== undefined) return site !== 'same-origin';
  if (origin === undefined) return false;
  // A deployment may be reached by other host names than the configured one.
  return !URL.canParse(origin) || (origin !== new URL(publicUrl).origin && new URL(origin).host !== host);
}
