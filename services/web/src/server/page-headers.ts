import { isEmbedSite, type PageContent } from '@paywatch/domain/contract';

/**
 * The security headers of a page: resources from this host only, no inline script or style, Trusted Types enforced.
 * Few pages may be framed: overlays by the previews of the account area and of the donation page, and payment pages by the sites of their
 * project.
 */
export function pageHeaders(content: PageContent): Record<string, string> {
  const { page } = content;
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors(content)}`,
    // Sounds that the owner uploaded.
    ...(page === 'account' || page === 'overlay' ? ["media-src 'self'"] : []),
    ...(page === 'account' || page === 'donate' ? ["frame-src 'self'"] : []),
    ...(page === 'pos' ? ["manifest-src 'self'"] : []),
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    // With no-referrer, browsers send 'Origin: null' for a form, which the API's same-origin check refuses.
    ...(page === 'donate' || page === 'link' ? { 'Referrer-Policy': 'same-origin' } : {}),
    'Content-Security-Policy': policy.join('; '),
    Vary: ['Accept-Language', 'Accept-Encoding', ...variesBy(page)].join(', '),
  };
}

/** Of these pages `frame-ancestors` depends on Sec-Fetch-Dest: the API looks up the project's sites only for frames. */
function variesBy(page: PageContent['page']): string[] {
  if (page === 'account') return ['Cookie'];
  return page === 'pay' || page === 'link' ? ['Sec-Fetch-Dest'] : [];
}

/** Each site is checked again: whatever is stored, no text can add a source or end the directive. */
function frameAncestors(content: PageContent): string {
  if (content.page === 'overlay' || content.page === 'alert-preview') return "'self'";
  const { sites = [] } = content.page === 'pay' || content.page === 'link' ? content : {};
  return sites.filter(isEmbedSite).join(' ') || "'none'";
}
