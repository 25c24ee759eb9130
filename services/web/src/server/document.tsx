import type { ComponentChildren } from 'preact';
import type { Language } from '../ui/language.ts';
import type { PageFiles } from './page-assets.ts';

type DocumentProps = {
  language: Language;
  title: string;
  /** Which page's script and styles it loads; a page without a script borrows another's styles. */
  assets: PageFiles;
  hasScript?: boolean;
  /** Seconds after which a browser without script loads the page again; null where nothing will change. */
  refreshSeconds?: number | null;
  /** Which grounds browsers may paint it on. */
  colorScheme?: 'light dark' | 'only light';
  /** What the view was rendered from, for the script to go on with. */
  data?: unknown;
  renderedAtMs?: number;
  /** Of the element that the view is in, where it is a landmark by itself. */
  role?: 'main';
  children?: ComponentChildren;
};

/** The document around every page. No inline script, no inline style: the policy of the pages forbids both. */
export function Document(props: DocumentProps) {
  const { language, title, assets, hasScript = true, refreshSeconds = null, data, children } = props;
  const { colorScheme = 'light dark', role } = props;
  return (
    <html lang={language} dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content={colorScheme} />
        <meta name="format-detection" content="telephone=no" />
        <title>{title}</title>
        <link rel="icon" href={assets.icon} type="image/svg+xml" />
        {assets.styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        {hasScript ? <Scripts assets={assets} /> : null}
        {refreshSeconds === null ? null : (
          <noscript>
            <meta http-equiv="refresh" content={String(refreshSeconds)} />
          </noscript>
        )}
      </head>
      <body>
        <div
          id="page"
          role={role}
          data-data={data === undefined ? undefined : JSON.stringify(data)}
          data-rendered-at={props.renderedAtMs}
        >
          {children}
        </div>
      </body>
    </html>
  );
}

function Scripts({ assets }: { assets: PageFiles }) {
  return (
    <>
      {assets.preloads.map((href) => (
        <link key={href} rel="modulepreload" href={href} />
      ))}
      <script type="module" src={assets.script} />
    </>
  );
}
