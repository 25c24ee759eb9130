import { AppError } from '@paywatch/domain/requests';
import type { IncomingHttpHeaders } from 'node:http';

const CROSS_ORIGIN =
  'A page of another site sent this. Link to the donation page instead, or call the API from a server.';

/**
 * Throws AppError `forbidden` where a browser says that a page of another origin made it send the request. `publicUrl`: where the
 * deployment is reached.
 */
export function assertSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): void {
  if (isCrossOrigin(headers, publicUrl)) throw new AppError('forbidden', CROSS_ORIGIN);
}

/**
 * No page can change these headers. Browsers send Sec-Fetch-Site to https and localhost; the others send Origin with every POST
 * of a page. Programs send neither. Pure.
 */
function isCrossOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site !== undefined) return site !== 'same-origin';
  if (origin === undefined) return false;
  // A deployment may have other names than the one in its configuration.
  return !URL.canParse(origin) || (origin !== new URL(publicUrl).origin && new URL(origin).host !== host);
}
