import type { PageContent } from '@paywatch/domain/contract';

/**
 * The security headers of a page: resources from this host only, no inline script or style, Trusted Types enforced.
 * Only the overlay may be framed, by the account area's preview.
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
    // With no-referrer, browsers send 'Origin: null' for a form, which the API's same-origin check refuses.
    ...(page === 'donate' || page === 'link' ? { 'Referrer-Policy': 'same-origin' } : {}),
    'Content-Security-Policy': policy.join('; '),
    Vary: ['Accept-Language', 'Accept-Encoding', ...(page === 'account' ? ['Cookie'] : [])].join(', '),
  };
}
