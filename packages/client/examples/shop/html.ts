/** A piece of HTML that is safe to send. */
export type Html = { readonly html: string };

/** Builds HTML; every value that is not Html itself is escaped, so that no customer can put markup into a page. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (Html | string | number | readonly Html[])[]
): Html {
  return { html: parts.map((part, index) => part + markup(values[index])).join('') };
}

function markup(value: Html | string | number | readonly Html[] | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escape(String(value));
  return 'html' in value ? value.html : value.map((one) => one.html).join('');
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A whole document. `refresh` reloads it every five seconds, which needs no script. */
export function page(title: string, body: Html, { refresh = false } = {}): string {
  const head = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title} · Example shop</title>
        ${refresh ? html`<meta http-equiv="refresh" content="5" />` : ''}
        <style>
          body {
            font:
              1rem/1.5 system-ui,
              sans-serif;
            max-width: 40rem;
            margin: 0 auto;
            padding: 1rem;
          }
          table {
            width: 100%;
            border-collapse: collapse;
          }
          th,
          td {
            text-align: start;
            padding: 0.5rem 0.5rem 0.5rem 0;
            border-bottom: 1px solid #bbb;
          }
          button,
          input,
          select {
            font: inherit;
            padding: 0.5rem;
            min-height: 2.75rem;
            max-width: 100%;
            box-sizing: border-box;
          }
          code {
            overflow-wrap: anywhere;
          }
        </style>
      </head>
      <body>
        <nav><a href="/">Shop</a> · <a href="/cart">Cart</a></nav>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`;
  return head.html;
}
