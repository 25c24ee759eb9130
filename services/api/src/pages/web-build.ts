import type { ReadDonationForm, RenderPage } from '@paywatch/domain/contract';
import type { Logger } from '@paywatch/runtime/observability';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';

/** One file that pages load, in every encoding that it was built in. */
type Asset = {
  readonly type: string;
  readonly encodings: Readonly<Record<'br' | 'gzip' | 'identity', Buffer>>;
};

/** The built pages: what renders their first view and reads their form, and the files that they load by name. */
export type WebBuild = {
  readonly renderPage: RenderPage;
  readonly readDonationForm: ReadDonationForm;
  readonly assets: ReadonlyMap<string, Asset>;
};

/** Loads the build of the pages, or says in the log why there are none: the API works without. */
export function loadWebBuild(folder: string, logger: Logger): WebBuild | null {
  try {
    return { ...loadRenderer(folder), assets: loadAssets(join(folder, 'client/assets')) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    logger.warn(
      { web_dist: folder, reason },
      'no pages: build services/web, or set WEB_DIST to its dist folder',
    );
    return null;
  }
}

/** The build is another workspace's output and no import of ours: found by its path, checked by its shape. */
function loadRenderer(folder: string): Omit<WebBuild, 'assets'> {
  const module: unknown = createRequire(import.meta.url)(join(folder, 'server/render.js'));
  if (!isRenderer(module)) throw new Error('server/render.js does not export what renders pages');
  return { renderPage: module.renderPage, readDonationForm: module.readDonationForm };
}

/** The types of the functions are the contract's, which the pages are compiled against; a function cannot be looked into. */
function isRenderer(module: unknown): module is Omit<WebBuild, 'assets'> {
  if (typeof module !== 'object' || module === null) return false;
  const exported: Partial<Record<string, unknown>> = { ...module };
  return typeof exported['renderPage'] === 'function' && typeof exported['readDonationForm'] === 'function';
}

/** All in memory, a few hundred kilobytes: no path of a request ever reaches the disk. */
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
};
