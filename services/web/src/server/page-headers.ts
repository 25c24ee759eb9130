import type { PageContent } from '@paywatch/domain/contract';

/**
 * The headers of a page: everything from this host, no inline script or style, nothing that turns text into markup.
 * The account area shows the overlay inside itself; no other page may be framed.
 */
export function pageHeaders(page: PageContent['page']): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${page === 'overlay' ? "'self'" : "'none'"}`,
    ...(page === 'account' ? ["frame-src 'self'"] : []),
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    // Its form without script says where it comes from, to this host alone.
    ...(page === 'donate' ? { 'Referrer-Policy': 'same-origin' } : {}),
    'Content-Security-Policy': policy.join('; '),
    Vary: 'Accept-Language, Accept-Encoding',
  };
}
