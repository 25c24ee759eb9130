import type { Branding } from '../../../resources/account/branding.ts';
import type { OperationExample } from '../operation-example.ts';

const branding: Branding = { logo: null, accent_color: null, terms_url: null, support_url: null };

const change = {
  accent_color: '#6441a5',
  terms_url: 'https://shop.example/terms',
  support_url: 'mailto:help@shop.example',
};

/** Of the branding of the payment pages. */
export const brandingExamples = {
  getBranding: { response: branding },
  updateBranding: { request: change, response: { ...branding, ...change } },
} as const satisfies Record<string, OperationExample>;
