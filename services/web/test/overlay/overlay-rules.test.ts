import { DEFAULT_OVERLAY_SETTINGS, type OverlayImage, type OverlayTier } from '@paywatch/domain/overlay';
import { describe, expect, it } from 'vitest';
import { alertStyle } from '../../src/overlay/alerts/alert-style.ts';
import { enqueue, isFull, isLow, takeNext, type AlertQueue } from '../../src/overlay/alerts/alert-queue.ts';
import { overlayLook } from '../../src/overlay/settings.ts';
import { overlayDraft, readOverlayDraft } from '../../src/account/screens/donations/overlay-draft.ts';
import { donation } from '../support/apis/overlay-api.ts';

const settingsOf = (query: string) => overlayLook(new URLSearchParams(query));
const alert = (id: string, amount = '50000', test = false) => ({ id, donation: donation({ amount, test }) });
/** What no parameter of the URL changes. */
const usual = {
  amounts: 'coins',
  image: 'none',
  imageUpload: null,
  sound: 'chime',
  soundUpload: null,
  sentence: '{name} {amount}',
  speech: null,
  tiers: [],
};
const noMinimum = settingsOf('');
const fill = (count: number): AlertQueue => Array.from({ length: count }, (_, index) => alert(`p${index}`));

describe('the settings of an overlay', () => {
  it('default to six seconds, top, dark, silent and no minimum', () => {
    expect(noMinimum).toEqual({
      durationMs: 6000,
      position: 'top',
      template: 'card',
      theme: 'dark',
      volume: 0,
      minAmount: { BTC: 0n, LTC: 0n },
      isMessageShown: true,
      isPreview: false,
      ...usual,
    });
  });

  it('are all read from the query', () => {
    const query =
      'duration=10&position=bottom-left&theme=plain&sound=80&minAmount=0.001&showMessage=0&preview=1';
    expect(settingsOf(query)).toEqual({
      durationMs: 10_000,
      position: 'bottom-left',
      template: 'plain',
      theme: 'dark',
      volume: 0.8,
      minAmount: { BTC: 100_000n, LTC: 100_000n },
      isMessageShown: false,
      isPreview: true,
      ...usual,
    });
  });

  it('accept one minimum for all currencies or one per currency', () => {
    expect(settingsOf('minAmount=BTC:0.0001,LTC:0.05').minAmount).toEqual({ BTC: 10_000n, LTC: 5_000_000n });
    expect(settingsOf('minAmount=LTC:0.05').minAmount).toEqual({ BTC: 0n, LTC: 5_000_000n });
    expect(settingsOf('minAmount=LTC:0.05,0.001').minAmount).toEqual({ BTC: 100_000n, LTC: 5_000_000n });
  });

  const account = {
    ...DEFAULT_OVERLAY_SETTINGS,
    template: 'plain',
    theme: 'light',
    position: 'bottom',
    duration_seconds: 9,
    volume: 40,
    min_amount_btc: '5000',
    show_message: false,
    sentence: '{name} sent {amount}',
    speech: true,
    speech_language: 'en-GB',
    speech_rate: 150,
    speech_max_length: 80,
    speech_min_ltc: '7000',
  } as const;

  it('are those of the account where the URL has no valid parameter', () => {
    const look = overlayLook(new URLSearchParams('position=middle&duration=x'), account);
    expect(look).toEqual({
      durationMs: 9000,
      position: 'bottom',
      template: 'plain',
      theme: 'light',
      volume: 0.4,
      minAmount: { BTC: 5000n, LTC: 0n },
      isMessageShown: false,
      isPreview: false,
      ...usual,
      sentence: '{name} sent {amount}',
      speech: { lang: 'en-GB', rate: 1.5, maxLength: 80, minAmount: { BTC: 0n, LTC: 7000n } },
    });
  });

  it('take precedence over those of the account', () => {
    const query = 'template=card&theme=dark&position=top&duration=3&sound=off&minAmount=0.01&showMessage=1';
    expect(overlayLook(new URLSearchParams(query), account)).toEqual({
      durationMs: 3000,
      position: 'top',
      template: 'card',
      theme: 'dark',
      volume: 0,
      minAmount: { BTC: 1_000_000n, LTC: 1_000_000n },
      isMessageShown: true,
      isPreview: false,
      ...usual,
      sentence: '{name} sent {amount}',
      speech: { lang: 'en-GB', rate: 1.5, maxLength: 80, minAmount: { BTC: 0n, LTC: 7000n } },
    });
  });

  it.each(['duration=0', 'duration=0.5', 'duration=1'])(
    'show an alert for at least one second: %s',
    (query) => {
      expect(settingsOf(query).durationMs).toBe(1000);
    },
  );

  it.each([
    'duration=NaN',
    'duration=-5',
    'position=javascript:',
    'theme=',
    'minAmount=1e9',
    'minAmount=x',
    'sound=off',
  ])('ignore invalid values: %s', (query) => {
    expect(settingsOf(query)).toEqual(noMinimum);
  });
});

const tier = (btc: string, ltc: string, image: OverlayImage): OverlayTier => ({
  min_amount_btc: btc,
  min_amount_ltc: ltc,
  template: 'neon',
  image,
  image_upload: null,
  sound: 'bell',
  sound_upload: null,
  duration_seconds: 20,
});

describe('the tiers', () => {
  const tiers = [
    tier('1000', '5000', 'star'),
    tier('100000', '9000', 'rocket'),
    tier('50000', '7000', 'coin'),
  ];
  const imageFor = (query: string, amount: string, currency: 'BTC' | 'LTC' = 'BTC') =>
    alertStyle(
      overlayLook(new URLSearchParams(query), { ...DEFAULT_OVERLAY_SETTINGS, tiers }),
      donation({ amount, currency }),
    );

  it.each([
    ['999', 'BTC', 'none'],
    ['1000', 'BTC', 'star'],
    ['99999', 'BTC', 'coin'],
    ['100000', 'BTC', 'rocket'],
    ['8999', 'LTC', 'coin'],
    ['9000', 'LTC', 'rocket'],
  ] as const)(
    'give %s of %s the picture %s, in whatever order they are listed',
    (amount, currency, image) => {
      expect(imageFor('', amount, currency).image).toBe(image);
    },
  );

  it('are overruled by the parameters of the URL', () => {
    const style = imageFor('template=plain&duration=3', '100000');
    expect(style).toMatchObject({ template: 'plain', durationMs: 3000, image: 'rocket', sound: 'bell' });
  });
});

describe('the typed settings', () => {
  it('show a minimum in coins, and nothing for none', () => {
    const settings = { ...DEFAULT_OVERLAY_SETTINGS, min_amount_btc: '10000' };
    expect(overlayDraft(settings)).toEqual({
      sentence: '{name} {amount}',
      duration: '6',
      minBtc: '0.0001',
      minLtc: '',
    });
  });

  it('accept a comma, and leave out what is invalid', () => {
    expect(
      readOverlayDraft({ sentence: 'Thanks {name}', duration: ' 8 ', minBtc: '0,0001', minLtc: '' }),
    ).toEqual({
      change: {
        sentence: 'Thanks {name}',
        duration_seconds: 8,
        min_amount_btc: '10000',
        min_amount_ltc: '0',
      },
      invalid: [],
    });
    expect(
      readOverlayDraft({ sentence: '{name} {name}', duration: '61', minBtc: '1e3', minLtc: '' }),
    ).toEqual({
      change: { min_amount_ltc: '0' },
      invalid: ['sentence', 'duration', 'minBtc'],
    });
  });
});

describe('the alert queue', () => {
  it('is first in, first out, and reports each position as it is taken', () => {
    const first = takeNext([alert('p1'), alert('p2')], noMinimum);
    expect([first.alert?.id, first.passed]).toEqual(['p1', 'p1']);
    const second = takeNext(first.rest, noMinimum);
    expect([second.alert?.id, second.passed, second.rest]).toEqual(['p2', 'p2', []]);
    expect(takeNext(second.rest, noMinimum)).toEqual({ alert: null, passed: null, rest: [] });
  });

  it('skips donations below the minimum, and never reports the position of a queued one', () => {
    const settings = settingsOf('minAmount=0.001');
    const queue = [alert('p1', '1000'), alert('p2', '100000'), alert('p3', '1000')];
    const taken = takeNext(queue, settings);
    expect([taken.alert?.id, taken.passed]).toEqual(['p2', 'p2']);
    expect(takeNext(taken.rest, settings)).toEqual({ alert: null, passed: 'p3', rest: [] });
  });

  it('shows test alerts regardless of the minimum', () => {
    expect(takeNext([alert('p1', '1', true)], settingsOf('minAmount=1')).alert?.id).toBe('p1');
  });

  it('drops a position that is already queued', () => {
    expect(enqueue([alert('p1')], alert('p1'))).toHaveLength(1);
    expect(enqueue([alert('p1')], alert('p2'))).toHaveLength(2);
  });

  it('closes the stream at the high watermark and reopens it at the low watermark', () => {
    expect([isFull(fill(199)), isFull(fill(200))]).toEqual([false, true]);
    expect([isLow(fill(51)), isLow(fill(50))]).toEqual([false, true]);
  });
});
