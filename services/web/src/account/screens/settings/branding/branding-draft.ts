import type { Branding, UpdateBrandingInput } from '@paywatch/domain/contract';

/** The branding as typed. */
export type BrandingDraft = {
  readonly logo: string | null;
  /** `#rrggbb`; null for the usual color. */
  readonly accent: string | null;
  readonly terms: string;
  /** An email address stands without `mailto:`. */
  readonly support: string;
};

const MAILTO = 'mailto:';

/** Pure. */
export function brandingDraft({ logo, accent_color, terms_url, support_url }: Branding): BrandingDraft {
  const support = support_url ?? '';
  return {
    logo,
    accent: accent_color,
    terms: terms_url ?? '',
    support: support.startsWith(MAILTO) ? support.slice(MAILTO.length) : support,
  };
}

/** What the draft changes. Addresses are judged by the API. Pure. */
export function brandingChange({ logo, accent, terms, support }: BrandingDraft): UpdateBrandingInput {
  return {
    logo,
    accent_color: accent,
    terms_url: terms.trim() || null,
    support_url: supportUrl(support.trim()),
  };
}

function supportUrl(typed: string): string | null {
  if (typed === '') return null;
  return /^[^\s:/]+@[^\s:/]+$/.test(typed) ? `${MAILTO}${typed}` : typed;
}
