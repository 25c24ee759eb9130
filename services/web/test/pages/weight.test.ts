import { printFigures } from '@paywatch/dev/commands';
import type { PageContent } from '@paywatch/domain/contract';
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Manifest } from 'vite';
import { filesOfPart } from '../../build/page-assets.ts';
import { distFolder, ENTRIES, SIGNED_IN_AREA } from '../../build/vite-options.ts';
import { LANGUAGES, type Language } from '../../src/ui/language.ts';
import { paymentLink } from '../support/apis/buyer-api.ts';
import { donationLink } from '../support/apis/donor-api.ts';
import { loadRenderer } from '../support/renderer.ts';
import { invoice, NOW_MS, payment } from '../support/invoices.ts';

/** The compressed bytes that a browser loads to show a page, in the language with the larger texts. */
async function weigh(content: PageContent): Promise<number> {
  const weights = await Promise.all(LANGUAGES.map((language) => weighIn(language, content)));
  return Math.max(...weights);
}

async function weighIn(language: Language, content: PageContent): Promise<number> {
  const { html, paths } = await firstView(language, content);
  return gzipSync(html).length + (await weighFiles(paths));
}

/** The document and the paths of the files it references. */
async function firstView(
  language: Language,
  content: PageContent,
): Promise<{ html: string; paths: string[] }> {
  const { renderPage } = await loadRenderer();
  const { html } = renderPage(content, { wantedLanguage: language, acceptLanguage: null, nowMs: NOW_MS });
  return {
    html,
    paths: [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path),
  };
}

async function weighFiles(paths: readonly string[]): Promise<number> {
  const files = await Promise.all(paths.map((path) => readFile(`${distFolder}/client${path}.gz`)));
  return files.reduce((sum, { length }) => sum + length, 0);
}

const heavy = invoice({
  type: 'donation',
  donor_name: 'N'.repeat(50),
  donor_message: 'ä'.repeat(200),
  payments: Array.from({ length: 5 }, (_, vout) => payment({ vout })),
});
const branded = invoice({
  ...heavy,
  type: 'order',
  branding: {
    logo_url: '/v1/public/uploads/upl_4Hn7kTq2ZsWx9LmVb3YcRp',
    // The server writes its style sheet of about 100 bytes, which is no file.
    accent_color: null,
    terms_url: 'https://shop.example/terms',
    support_url: 'mailto:help@shop.example',
  },
  lines: [{ name: 'Balcony, row 3', quantity: 2, amount: null }],
});
const pages: [string, PageContent, number][] = [
  ['the payment page', { page: 'pay', invoice: heavy }, 32_000],
  ['the payment page of a branded order, without its logo', { page: 'pay', invoice: branded }, 33_000],
  ['the donation page', { page: 'donate', link: donationLink(), draft: null, problem: null }, 36_000],
  ['the page of a payment link', { page: 'link', link: paymentLink(), draft: null, problem: null }, 24_000],
  [
    'the point of sale',
    { page: 'pos', link: paymentLink(), manifest: '/pos/tok_board/app.webmanifest' },
    28_000,
  ],
  ['the overlay', { page: 'overlay' }, 8_000],
  ['the latest donations', { page: 'overlay', source: 'latest' }, 8_000],
  ['the goal bar', { page: 'overlay', source: 'goal' }, 8_000],
  ['the account area before the login', { page: 'account', hasSession: false }, 40_000],
  ['the account area behind the login', { page: 'account', hasSession: true }, 50_000],
];

describe('over the wire', () => {
  it.each(pages)('%s stays below 50 KB and below its own budget', async (name, content, budget) => {
    const bytes = await weigh(content);
    const atMost = Math.min(budget, 50_000);
    printFigures([{ name: `${name}, bytes over the wire`, value: bytes, reach: { atMost } }]);
    expect(bytes).toBeLessThan(atMost);
  });

  it('the script of the payment button stays below 6,000 bytes, compressed or not', async () => {
    const { length } = await readFile(`${distFolder}/client/embed.js`);
    const compressed = (await readFile(`${distFolder}/client/embed.js.gz`)).length;
    printFigures([
      { name: 'payment button, bytes', value: length, reach: { atMost: 6000 } },
      { name: 'payment button, bytes over the wire', value: compressed, reach: { atMost: 6000 } },
    ]);
    expect(length).toBeLessThan(6000);
    expect(compressed).toBeLessThan(length);
  });

  it('the document of the account area names the screens behind the login to a reader with a session only', async () => {
    const manifest: Manifest = JSON.parse(await readFile(`${distFolder}/client/manifest.json`, 'utf8'));
    const [area = ''] = filesOfPart(manifest, SIGNED_IN_AREA);
    const withSession = await firstView('de', { page: 'account', hasSession: true });
    expect(withSession.paths).toEqual(expect.arrayContaining(filesOfPart(manifest, SIGNED_IN_AREA)));
    expect((await firstView('de', { page: 'account', hasSession: false })).paths).not.toContain(area);
  });

  it.each(pages.filter(([name]) => !name.includes('account')))(
    '%s loads no code of the account area',
    async (_name, content) => {
      const manifest: Manifest = JSON.parse(await readFile(`${distFolder}/client/manifest.json`, 'utf8'));
      const { paths } = await firstView('en', content);
      const others = new Set(
        Object.entries(ENTRIES)
          .filter(([page]) => page !== 'account')
          .flatMap(([, entry]) => filesOfPart(manifest, entry)),
      );
      const own = filesOfPart(manifest, SIGNED_IN_AREA).filter((path) => !others.has(path));
      expect(own.length).toBeGreaterThan(0);
      expect(paths.filter((path) => own.includes(path) || path.includes('account'))).toEqual([]);
    },
  );
});
