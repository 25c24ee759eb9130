import type { ComponentChildren } from 'preact';
import type { Language } from '../ui/language.ts';
import { LinkPreview, type LinkPreviewProps } from './link-preview.tsx';
import type { PageFiles } from './page-assets.ts';

type DocumentProps = {
  language: Language;
  title: string;
  /** The files to load; a page without a script uses only the style sheets. */
  assets: PageFiles;
  hasScript?: boolean;
  /** Seconds after which browsers without JavaScript reload the page; null for a final state. */
  refreshSeconds?: number | null;
  /** The color schemes that the page supports. */
  colorScheme?: 'light dark' | 'only light';
  /** What the view was rendered from; the script hydrates with the same data. */
  data?: unknown;
  renderedAtMs?: number;
  /** The origins whose pages may frame the document. Its script sends messages to these only. */
  sites?: readonly string[];
  /** How other sites show a link to the page; undefined leaves that to them. */
  preview?: LinkPreviewProps;
  /** The path of the web app manifest. */
  manifest?: string;
  /** Shown before the view, and not owned by the script. */
  before?: ComponentChildren;
  /** The same after the view. */
  after?: ComponentChildren;
  /** Set where the view has no landmark of its own. */
  role?: 'main';
  children?: ComponentChildren;
};

/** The HTML document of every page. The Content-Security-Policy forbids inline scripts and styles. */
export function Document(props: DocumentProps) {
  const { language, title, assets, hasScript = true, refreshSeconds = null, data, children } = props;
  const { colorScheme = 'light dark', role, sites = [] } = props;
  return (
    <html lang={language} dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content={colorScheme} />
        {/* Only pages that scripts fill have a role; no phone shows them. */}
        {role === undefined ? <meta name="format-detection" content="telephone=no" /> : null}
        <title>{title}</title>
        {props.preview === undefined ? null : <LinkPreview {...props.preview} />}
        {props.manifest === undefined ? null : <link rel="manifest" href={props.manifest} />}
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
        {props.before}
        <div
          id="page"
          role={role}
          data-data={data === undefined ? undefined : JSON.stringify(data)}
          data-rendered-at={props.renderedAtMs}
          data-sites={sites.length === 0 ? undefined : sites.join(' ')}
        >
          {children}
        </div>
        {props.after}
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
