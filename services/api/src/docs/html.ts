/** Text that is HTML already. */
export type Html = { readonly html: string };

/** Writes HTML: values are escaped unless they are HTML themselves, lists are joined, and undefined is empty. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return { html: parts.map((part, i) => part + textOf(values[i])).join('') };
}

type HtmlValue = string | number | undefined | Html | readonly Html[];

function textOf(value: HtmlValue): string {
  if (value === undefined) return '';
  if (typeof value === 'object') return 'html' in value ? value.html : value.map(textOf).join('');
  return String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Prose of the contract: `code`, **strong** and lines; no other markup is in it. */
export function prose(text: string): Html {
  const pieces = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((piece) => {
    if (piece.startsWith('`')) return html`<code>${piece.slice(1, -1)}</code>`;
    return piece.startsWith('**') ? html`<strong>${piece.slice(2, -2)}</strong>` : html`${piece}`;
  });
  return html`${pieces}`;
}
