import type { RenderPage, ServiceStatus } from '@paywatch/domain/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { ageText } from '../../src/status/age-text.ts';
import { STATUS_TEXTS } from '../../src/status/status-texts.ts';
import { NOW_MS } from '../support/invoices.ts';
import { loadRenderer } from '../support/renderer.ts';
import { delayedStatus, serviceStatus, unavailableStatus } from '../support/service-status.ts';

let renderPage: RenderPage;
beforeAll(async () => {
  ({ renderPage } = await loadRenderer());
});

const render = (status: ServiceStatus, wantedLanguage = 'en') =>
  renderPage({ page: 'status', status }, { wantedLanguage, acceptLanguage: null, nowMs: NOW_MS }).html;
const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

describe('the status page', () => {
  it('needs no script', () => {
    expect(render(serviceStatus())).not.toContain('<script');
  });

  it('shows height and age of each chain, and that there was no incident', () => {
    const text = textOf(render(serviceStatus()));
    expect(text).toContain('All systems operational');
    expect(text).toContain('Bitcoin payment detection Operational Block 923,456, 8 min old');
    expect(text).toContain('Litecoin payment detection Operational Block 2,987,654, 8 min old');
    expect(text).toContain('No incidents in the last 90 days.');
  });

  it('says what a delay means, and how long incidents lasted', () => {
    const text = textOf(render(delayedStatus()));
    expect(text).toContain('Some parts are delayed');
    expect(text).toContain('3 h 20 min old. Last read 5 min ago.');
    expect(text).toContain('no payment is lost');
    expect(text).toContain('Webhooks Delayed Up to 5 min late.');
    expect(text).toMatch(/Litecoin payment detection Since \d{4}-\d\d-\d\d \d\d:\d\d UTC, ongoing/);
    expect(text).toMatch(/Webhooks \d{4}-\d\d-\d\d \d\d:\d\d UTC, for 2 d 4 h/);
  });

  it('claims nothing about what it cannot know', () => {
    const text = textOf(render(unavailableStatus()));
    expect(text).toContain('The service is unavailable');
    expect(text).not.toMatch(/Webhooks|Bitcoin|No incidents|Operational/);
  });

  it('speaks German', () => {
    const text = textOf(render(delayedStatus(), 'de'));
    expect(text).toContain('Einiges ist verzögert');
    expect(text).toContain('Block 923.456, 3 h 20 min alt');
  });
});

it.each([
  [-5, '0 s'],
  [89_000, '89 s'],
  [90_000, '2 min'],
  [3_599_000, '1 h 0 min'],
  [86_400_000 * 3, '3 d 0 h'],
])('an age of %i ms is %s', (ms, text) => {
  expect(ageText(ms, STATUS_TEXTS.en)).toBe(text);
});
