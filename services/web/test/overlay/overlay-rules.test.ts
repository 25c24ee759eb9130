import { describe, expect, it } from 'vitest';
import { enqueue, isFull, isLow, takeNext, type AlertQueue } from '../../src/overlay/alert-queue.ts';
import { readSettings } from '../../src/overlay/settings.ts';
import { donation } from '../support/overlay-api.ts';

const settingsOf = (query: string) => readSettings(new URLSearchParams(query));
const alert = (id: string, amount = '50000', test = false) => ({ id, donation: donation({ amount, test }) });
const noMinimum = settingsOf('');
const fill = (count: number): AlertQueue => Array.from({ length: count }, (_, index) => alert(`p${index}`));

describe('the address of an overlay', () => {
  it('may say nothing: six seconds, at the top, dark, silent, everything shown', () => {
    expect(noMinimum).toEqual({
      durationMs: 6000,
      position: 'top',
      theme: 'dark',
      volume: 0,
      minAmount: { BTC: 0n, LTC: 0n },
      isMessageShown: true,
      isPreview: false,
    });
  });

  it('sets each of it', () => {
    const query =
      'duration=10&position=bottom-left&theme=plain&sound=80&minAmount=0.001&showMessage=0&preview=1';
    expect(settingsOf(query)).toEqual({
      durationMs: 10_000,
      position: 'bottom-left',
      theme: 'plain',
      volume: 0.8,
      minAmount: { BTC: 100_000n, LTC: 100_000n },
      isMessageShown: false,
      isPreview: true,
    });
  });

  it('may set a minimum for each coin, since one is worth far more than the other', () => {
    expect(settingsOf('minAmount=BTC:0.0001,LTC:0.05').minAmount).toEqual({ BTC: 10_000n, LTC: 5_000_000n });
    expect(settingsOf('minAmount=LTC:0.05').minAmount).toEqual({ BTC: 0n, LTC: 5_000_000n });
    expect(settingsOf('minAmount=LTC:0.05,0.001').minAmount).toEqual({ BTC: 100_000n, LTC: 5_000_000n });
  });

  it.each(['duration=0', 'duration=0.5', 'duration=1'])(
    'shows an alert for at least a second: %s',
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
  ])('is read as if it were not there where it makes no sense: %s', (query) => {
    expect(settingsOf(query)).toEqual(noMinimum);
  });
});

describe('the queue of alerts', () => {
  it('shows what came first first, and remembers each position as it is passed', () => {
    const first = takeNext([alert('p1'), alert('p2')], noMinimum);
    expect([first.alert?.id, first.passed]).toEqual(['p1', 'p1']);
    const second = takeNext(first.rest, noMinimum);
    expect([second.alert?.id, second.passed, second.rest]).toEqual(['p2', 'p2', []]);
    expect(takeNext(second.rest, noMinimum)).toEqual({ alert: null, passed: null, rest: [] });
  });

  it('skips what is below the minimum, and never passes one that still waits', () => {
    const settings = settingsOf('minAmount=0.001');
    const queue = [alert('p1', '1000'), alert('p2', '100000'), alert('p3', '1000')];
    const taken = takeNext(queue, settings);
    expect([taken.alert?.id, taken.passed]).toEqual(['p2', 'p2']);
    expect(takeNext(taken.rest, settings)).toEqual({ alert: null, passed: 'p3', rest: [] });
  });

  it('shows a test whatever the minimum, since its owner waits for it', () => {
    expect(takeNext([alert('p1', '1', true)], settingsOf('minAmount=1')).alert?.id).toBe('p1');
  });

  it('takes no position twice', () => {
    expect(enqueue([alert('p1')], alert('p1'))).toHaveLength(1);
    expect(enqueue([alert('p1')], alert('p2'))).toHaveLength(2);
  });

  it('lets go of the stream before a flood fills the memory, and takes it up again when few are left', () => {
    expect([isFull(fill(199)), isFull(fill(200))]).toEqual([false, true]);
    expect([isLow(fill(51)), isLow(fill(50))]).toEqual([false, true]);
  });
});
