import type { Manifest } from 'vite';
import type { PageAssets, PageFiles, PageImages } from '../src/server/page-assets.ts';
import type { Language } from '../src/ui/language.ts';
import { ENTRIES, PREVIEW_ENTRY, SIGNED_IN_AREA, TEXTS } from './vite-options.ts';

type Page = keyof typeof ALL_ENTRIES;
const ALL_ENTRIES = { ...ENTRIES, preview: PREVIEW_ENTRY };
const PAGES = [
  'pay',
  'donate',
  'link',
  'pos',
  'overlay',
  'overlayLatest',
  'overlaySummary',
  'preview',
  'control',
  'status',
  'order',
  'account',
] as const satisfies readonly Page[];

/** The files that each page loads, from Vite's manifest. Pure. Throws Error if an entry is missing. */
export function pageAssets(manifest: Manifest, images: PageImages): PageAssets {
  const pages = PAGES.map(
    (page) =>
      [
        page,
        {
          ...filesOf(manifest, ALL_ENTRIES[page]),
          texts: textsOf(manifest, page),
          signedIn: page === 'account' ? filesNotIn(manifest, ALL_ENTRIES[page], [SIGNED_IN_AREA]) : [],
          ...images,
        },
      ] as const,
  );
  return Object.fromEntries(pages);
}

/** The files that hold the texts of each language, without those that the page's script loads anyway. */
function textsOf(manifest: Manifest, page: Page): PageAssets[string]['texts'] {
  const texts = page === 'preview' ? undefined : TEXTS[page];
  const filesIn = (language: Language) => filesNotIn(manifest, ALL_ENTRIES[page], texts?.[language] ?? []);
  return { en: filesIn('en'), de: filesIn('de') };
}

/** The files of further modules that an entry does not load by itself. */
function filesNotIn(manifest: Manifest, entry: string, modules: readonly string[]): string[] {
  const needed = new Set(modules.flatMap((key) => [...chunksOf(manifest, key)]));
  return [...needed.difference(chunksOf(manifest, entry))].map((key) => `/${chunkAt(manifest, key).file}`);
}

function filesOf(manifest: Manifest, entry: string): Omit<PageFiles, keyof PageImages> {
  const chunks = [...chunksOf(manifest, entry)].map((key) => chunkAt(manifest, key));
  const [script, ...preloads] = chunks.map(({ file }) => `/${file}`);
  if (script === undefined) throw new Error(`${entry} was not built`);
  const styles = new Set(chunks.toReversed().flatMap(({ css = [] }) => css.map((file) => `/${file}`)));
  return { script, preloads, styles: [...styles] };
}

/** Every asset that a browser may request, as absolute paths. */
export function builtFiles(manifest: Manifest, images: PageImages): string[] {
  const files = Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css]);
  return [...new Set([...files.map((file) => `/${file}`), ...Object.values(images)])];
}

/** The files of a lazily loaded module and its imports, as absolute paths. */
export function filesOfPart(manifest: Manifest, key: string): string[] {
  return [...chunksOf(manifest, key)].map((chunk) => `/${chunkAt(manifest, chunk).file}`);
}

/** The keys of a chunk and of all chunks it imports, each once. */
function chunksOf(manifest: Manifest, key: string, seen = new Set<string>()): Set<string> {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const imported of chunkAt(manifest, key).imports ?? []) chunksOf(manifest, imported, seen);
  return seen;
}

function chunkAt(manifest: Manifest, key: string): Manifest[string] {
  const chunk = manifest[key];
  if (chunk === undefined) throw new Error(`${key} is not in the manifest`);
  return chunk;
}
