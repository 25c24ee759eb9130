import type { PaymentLinkView } from '@paywatch/domain/contract';

/** The HTML of a payment button: the script once for a page, and a link for each button. Pure. */
export function buttonCode({ url, title }: Pick<PaymentLinkView, 'url' | 'title'>): string {
  const script = `<script src="${new URL('/embed.js', url).href}" async></script>`;
  return `${script}\n<a href="${url}" data-paywatch>${escapeHtml(title)}</a>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The sites in a text with one in each line. The slash that browsers copy with an address is dropped; the API checks the rest. Pure. */
export function sitesIn(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [
    ...new Set(
      lines.filter((line) => line !== '').map((line) => line.replace(/^(https?:\/\/[^/]+)\/$/i, '$1')),
    ),
  ];
}
