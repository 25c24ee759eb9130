import type { ReadDonationForm, ReadPurchaseForm, RenderPage } from '@paywatch/domain/contract';
import type { Logger } from '@paywatch/runtime/observability';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';

/** A file that pages load, in every encoding that was built. */
export type Asset = {
  readonly type: string;
  readonly encodings: Readonly<Record<'br' | 'gzip' | 'identity', Buffer>>;
};

/** The web build: functions that render pages and read the forms, and assets by name. */
export type WebBuild = {
  readonly renderPage: RenderPage;
  readonly readDonationForm: ReadDonationForm;
  readonly readPurchaseForm: ReadPurchaseForm;
  readonly assets: ReadonlyMap<string, Asset>;
  /** The script of the payment button. */
  readonly embedScript: Asset;
};

type Renderer = Omit<WebBuild, 'assets' | 'embedScript'>;

/** Loads the web build. Null, with a warning in the log, if there is none: the API works without it. */
export function loadWebBuild(folder: string, logger: Logger): WebBuild | null {
  try {
    return {
      ...loadRenderer(folder),
      assets: loadAssets(join(folder, 'client/assets')),
      embedScript: loadAsset(join(folder, 'client/embed.js')),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    logger.warn(
      { web_dist: folder, reason },
      'no pages: build services/web, or set WEB_DIST to its dist folder',
    );
    return null;
  }
}

/** The build is the output of another workspace, so it is loaded by its path and checked at run time. */
function loadRenderer(folder: string): Renderer {
  const module: unknown = createRequire(import.meta.url)(join(folder, 'server/render.js'));
  if (!isRenderer(module)) throw new Error(`server/render.js does not export ${FUNCTIONS.join(', ')}`);
  return module;
}

const FUNCTIONS = ['renderPage', 'readDonationForm', 'readPurchaseForm'] as const;

/** Parameters cannot be checked at run time; the pages are compiled against the same types. */
function isRenderer(module: unknown): module is Renderer {
  if (typeof module !== 'object' || module === null) return false;
  const exported: Partial<Record<string, unknown>> = { ...module };
  return FUNCTIONS.every((name) => typeof exported[name] === 'function');
}

/** Loads all assets into memory, a few hundred kilobytes, so that no request path is used to read a file. */
function loadAssets(folder: string): Map<string, Asset> {
  const names = readdirSync(folder).filter((name) => TYPES[extname(name)] !== undefined);
  return new Map(names.map((name) => [name, loadAsset(join(folder, name))]));
}

function loadAsset(path: string): Asset {
  return {
    type: TYPES[extname(path)] ?? 'application/octet-stream',
    encodings: {
      br: readFileSync(`${path}.br`),
      gzip: readFileSync(`${path}.gz`),
      identity: readFileSync(path),
    },
  };
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};
