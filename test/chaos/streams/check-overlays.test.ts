import { expect, test } from 'vitest';
import {
  checkOverlays,
  type CausedDonation,
  type OverlayCounts,
  type OverlayRecord,
  type ReceivedDonation,
} from './check-overlays.ts';

const shown = (position: bigint): CausedDonation => ({
  project: 'shop',
  position,
  expected: 'shown',
  decision: null,
});
const held = (...answers: string[]): CausedDonation => ({
  project: 'shop',
  position: null,
  expected: 'held',
  decision: { showSentMs: answers.includes('dismissed') ? null : 100, answers: new Set(answers) },
});
const DONATIONS = { 1: shown(1n), 2: shown(2n), 3: shown(3n) };
const LAST = { settings: 2, paused: true, volume: 40 };

const arrival = (position: number, change: Partial<ReceivedDonation> = {}): ReceivedDonation => ({
  position: BigInt(position),
  amount: String(position),
  hasText: true,
  atMs: 200,
  ...change,
});
const all = [arrival(1), arrival(2), arrival(3)];
const overlay = (change: Partial<OverlayRecord> = {}): OverlayRecord => ({
  project: 'shop',
  startedAfter: 0n,
  received: all,
  settings: [1, 2],
  orders: { paused: true, volume: 40 },
  ...change,
});
const clean: OverlayCounts = {
  lost: 0,
  repeated: 0,
  disordered: 0,
  uncaused: 0,
  neverStarted: 0,
  beforeApproval: 0,
  againstDecision: 0,
  heldWithoutReason: 0,
  undecided: 0,
  unclearDecisions: 0,
  settingsMissed: 0,
  settingsBackwards: 0,
  ordersMissed: 0,
};

function check(record: OverlayRecord | null, more: Record<string, CausedDonation> = {}): OverlayCounts {
  const donations = new Map(Object.entries({ ...DONATIONS, ...more }));
  return checkOverlays({ donations, overlays: new Map([['shop', LAST]]) }, [record]);
}

test.each([
  ['each donation once', overlay(), {}],
  ['a client that connected later', overlay({ startedAfter: 2n, received: [arrival(3)] }), {}],
  ['a missing donation', overlay({ received: [arrival(1), arrival(3)] }), { lost: 1 }],
  ['a missing last donation', overlay({ received: [arrival(1), arrival(2)] }), { lost: 1 }],
  ['a client that received nothing', overlay({ received: [] }), { lost: 3 }],
  [
    'a repeated donation',
    overlay({ received: [arrival(1), arrival(2), arrival(2), arrival(3)] }),
    { repeated: 1 },
  ],
  [
    'a donation at two positions',
    overlay({ received: [...all, arrival(4, { amount: '3' })] }),
    { repeated: 1 },
  ],
  [
    'a repeated donation after a resume',
    overlay({ received: [...all, arrival(1)] }),
    { repeated: 1, disordered: 1 },
  ],
  [
    'donations in a wrong order',
    overlay({ received: [arrival(1), arrival(3), arrival(2)] }),
    { disordered: 1 },
  ],
  ['a donation that nobody caused', overlay({ received: [...all, arrival(4)] }), { uncaused: 1 }],
  ['donations of another project', overlay({ project: 'other', settings: null }), { uncaused: 3 }],
  ['a client without a start position', null, { neverStarted: 1 }],
  ['a client that requested no settings', overlay({ settings: null, orders: null }), {}],
  ['settings that did not arrive', overlay({ settings: [1] }), { settingsMissed: 1 }],
  ['a client without any settings', overlay({ settings: [] }), { settingsMissed: 1 }],
  ['old settings after new ones', overlay({ settings: [2, 1, 2] }), { settingsBackwards: 1 }],
  ['a pause that did not arrive', overlay({ orders: { paused: false, volume: 40 } }), { ordersMissed: 1 }],
  ['a volume that did not arrive', overlay({ orders: { paused: true, volume: 41 } }), { ordersMissed: 1 }],
  ['no orders', overlay({ orders: null }), { ordersMissed: 1 }],
])('the checker of overlays counts %s', (_title, record, counts) => {
  expect(check(record)).toEqual({ ...clean, ...counts });
});

const position4 = (change: Partial<ReceivedDonation> = {}) =>
  overlay({ received: [...all, arrival(4, change)] });

test.each([
  ['an approved donation, once', held('approved'), position4(), {}],
  ['an approved donation that is lost', held('approved'), overlay(), { lost: 1 }],
  [
    'an approved donation before its approval',
    held('approved'),
    position4({ atMs: 99 }),
    { beforeApproval: 1 },
  ],
  [
    'an approved donation without its text',
    held('approved'),
    position4({ hasText: false }),
    { againstDecision: 1 },
  ],
  ['a blocked text', held('text_blocked'), position4({ hasText: false }), {}],
  ['a blocked text that is shown', held('text_blocked'), position4(), { againstDecision: 1 }],
  ['a dismissed donation', held('dismissed'), overlay(), {}],
  [
    'a dismissed donation that is shown',
    held('dismissed'),
    position4(),
    { beforeApproval: 1, againstDecision: 1 },
  ],
  ['two decisions', held('approved', 'text_blocked'), position4(), { unclearDecisions: 1 }],
  ['a refused decision', held('status 404'), position4(), { unclearDecisions: 1 }],
  ['no decision', { ...held(), decision: null }, overlay(), { undecided: 1 }],
  [
    'an undecided donation that is shown',
    { ...held(), decision: null },
    position4(),
    { undecided: 1, beforeApproval: 1 },
  ],
  [
    'a donation that was not held',
    { ...shown(4n), expected: 'held' } as const,
    position4(),
    { beforeApproval: 1 },
  ],
  [
    'a donation that was held without a reason',
    { ...held('approved'), expected: 'shown' } as const,
    position4(),
    { heldWithoutReason: 1 },
  ],
  [
    'a donation that came while the rule changed',
    { ...held('approved'), expected: 'either' } as const,
    position4(),
    {},
  ],
] as const)('the checker of overlays counts for a held donation %s', (_title, donation, record, counts) => {
  expect(check(record, { 4: donation })).toEqual({ ...clean, ...counts });
});
