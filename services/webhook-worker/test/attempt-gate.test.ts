import { waitUntil } from '@paywatch/dev/testing';
import { expect, test } from 'vitest';
import { AttemptGate, type Slot } from '../src/attempts/attempt-gate.ts';
import { SLOW_MS } from '../src/attempts/endpoint-state.ts';
import { given } from './support/given.ts';

const FAST_MS = 20;

/** `due`: deliveries in Postgres, for any project. `pulled`: slots in which pulls started an attempt. */
function openGate(
  options: { slotsPerEndpoint?: number; slots?: number; due?: number; pullIntervalMs?: number } = {},
) {
  const state = { nowMs: 1_000_000, due: options.due ?? 0, pulls: [] as number[], pulled: [] as Slot[] };
  const gate = new AttemptGate({
    slotsPerEndpoint: options.slotsPerEndpoint ?? 4,
    slots: options.slots ?? 40,
    nowMs: () => state.nowMs,
    pullIntervalMs: options.pullIntervalMs ?? 0,
    pull: async (_projectId, slots) => {
      state.pulls.push(slots.length);
      const used = Math.min(slots.length, state.due);
      state.due -= used;
      state.pulled.push(...slots.slice(0, used));
      return used;
    },
  });
  return { gate, state };
}

async function acquired(gate: AttemptGate, project: string): Promise<Slot> {
  return given(await gate.acquire(project));
}

/** The result of `acquire` in the same turn of the event loop. */
async function immediately(gate: AttemptGate, project: string): Promise<'acquired' | 'deferred' | 'waits'> {
  const waits = new Promise<'waits'>((resolve) => setImmediate(() => resolve('waits')));
  return Promise.race([gate.acquire(project).then((slot) => (slot ? 'acquired' : 'deferred')), waits]);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test('a new endpoint gets one slot; each fast attempt adds one, up to the cap', async () => {
  const { gate } = openGate();
  const first = await acquired(gate, 'a');
  const waiting = Array.from({ length: 4 }, () => gate.acquire('a'));
  expect(gate.inFlight).toBe(1);
  first.release(FAST_MS);
  const [second, third] = await Promise.all(waiting.slice(0, 2));
  expect(gate.inFlight).toBe(2);
  second?.release(FAST_MS);
  third?.release(FAST_MS);
  await Promise.all(waiting.slice(2));
  await acquired(gate, 'a');
  await acquired(gate, 'a');
  expect(gate.inFlight).toBe(4);
  expect(await immediately(gate, 'a')).toBe('waits');
});

test('an endpoint gets one slot after a slow attempt, until a fast one', async () => {
  const { gate, state } = openGate({ due: 9 });
  (await acquired(gate, 'a')).release(SLOW_MS);
  const probe = await acquired(gate, 'a');
  expect(await immediately(gate, 'a')).toBe('deferred');
  probe.release(FAST_MS);
  await nextTurn();
  expect(state.pulls).toEqual([2]);
  expect(gate.inFlight).toBe(2);
});

test('waiting jobs are deferred when their endpoint turns out to be slow', async () => {
  const { gate } = openGate();
  const slow = await acquired(gate, 'a');
  const waiting = [gate.acquire('a'), gate.acquire('a')];
  slow.release(SLOW_MS);
  expect(await Promise.all(waiting)).toEqual([expect.anything(), null]);
});

test('slow endpoints together hold at most half of the slots', async () => {
  const { gate } = openGate({ slots: 4 });
  for (const project of ['a', 'b', 'c', 'd']) (await acquired(gate, project)).release(SLOW_MS);
  const results = [];
  for (const project of ['a', 'b', 'c', 'd']) results.push(await immediately(gate, project));
  expect(results).toEqual(['acquired', 'acquired', 'deferred', 'deferred']);
  await acquired(gate, 'healthy');
});

test('attempts to slow endpoints that start together are spread over ten seconds', async () => {
  const { gate } = openGate({ slots: 8 });
  (await acquired(gate, 'healthy')).release(FAST_MS);
  for (const project of ['a', 'b', 'c', 'd']) (await acquired(gate, project)).release(SLOW_MS);
  const delays = [];
  for (const project of ['a', 'b', 'c', 'd']) delays.push((await acquired(gate, project)).delayMs);
  expect(delays).toEqual([0, 2500, 5000, 7500]);
  expect((await acquired(gate, 'healthy')).delayMs).toBe(0);
});

test('attempts to new endpoints start one after the other; those to healthy endpoints start at once, also after an idle time', async () => {
  const { gate } = openGate();
  (await acquired(gate, 'known')).release(FAST_MS);
  const delays = [];
  for (const project of ['a', 'b', 'known', 'c']) delays.push((await acquired(gate, project)).delayMs);
  expect(delays).toEqual([10, 20, 0, 30]);
});

test('at most a quarter of the number of slots may wait', async () => {
  const { gate } = openGate({ slots: 8 });
  for (const project of ['a', 'b', 'c']) await acquired(gate, project);
  const results = [];
  for (const project of ['a', 'b', 'c']) results.push(await immediately(gate, project));
  expect(results).toEqual(['waits', 'waits', 'deferred']);
});

test('the backlog of a slow endpoint is pulled one delivery at a time until it is empty', async () => {
  const { gate, state } = openGate({ due: 2 });
  (await acquired(gate, 'a')).release(SLOW_MS);
  const probe = await acquired(gate, 'a');
  expect(await gate.acquire('a')).toBeNull();
  expect(gate.shouldDefer('a')).toBe(true);
  probe.release(SLOW_MS);
  for (let round = 0; round < 5; round += 1) {
    await nextTurn();
    state.pulled.shift()?.release(SLOW_MS);
  }
  expect(state.pulls).toEqual([1, 1, 1]);
  expect(gate.shouldDefer('a')).toBe(false);
  expect(gate.inFlight).toBe(0);
});

test('the backlog of a healthy endpoint is pulled into every free slot', async () => {
  const { gate, state } = openGate({ due: 5 });
  const first = await acquired(gate, 'a');
  const requests = Array.from({ length: 5 }, () => gate.acquire('a'));
  expect(await requests[4]).toBeNull();
  first.release(FAST_MS);
  for (const request of requests.slice(0, 4)) (await request)?.release(FAST_MS);
  for (let round = 0; round < 9; round += 1) {
    await nextTurn();
    state.pulled.shift()?.release(FAST_MS);
  }
  expect(state.due).toBe(0);
  expect(gate.inFlight).toBe(0);
  expect(gate.shouldDefer('a')).toBe(false);
});

test('slots that become free within the pull interval share one pull, and the backlog is listed meanwhile', async () => {
  const { gate, state } = openGate({ due: 50, pullIntervalMs: 30 });
  const first = await acquired(gate, 'a');
  const requests = Array.from({ length: 5 }, () => gate.acquire('a'));
  first.release(FAST_MS);
  for (const request of requests.slice(0, 4)) (await request)?.release(FAST_MS);
  await nextTurn();
  const [, ...later] = state.pulled;
  const roundsBefore = state.pulls.length;
  for (const slot of later) slot.release(FAST_MS);
  await nextTurn();
  expect(state.pulls).toHaveLength(roundsBefore);
  expect(gate.shouldDefer('a')).toBe(true);
  expect(gate.listPulledEndpoints()).toEqual(['a']);
  await waitUntil(() => state.pulls.length > roundsBefore, { what: 'the next round' });
  expect(state.pulls).toHaveLength(roundsBefore + 1);
  expect(gate.inFlight).toBe(4);
});

test('deliveries to a new endpoint are deferred while an attempt is in flight, and pulled when it ends', async () => {
  const { gate, state } = openGate({ due: 1 });
  expect(gate.shouldDefer('a')).toBe(false);
  const first = await acquired(gate, 'a');
  expect(gate.listPulledEndpoints()).toEqual([]);
  expect(gate.shouldDefer('a')).toBe(true);
  expect(gate.listPulledEndpoints()).toEqual(['a']);
  first.release(FAST_MS);
  await nextTurn();
  expect(state.due).toBe(0);
});

test('a delivery that is deferred while a pull runs starts another pull when that one ends', async () => {
  const pulls: PromiseWithResolvers<number>[] = [];
  const gate = new AttemptGate({
    slotsPerEndpoint: 4,
    slots: 40,
    nowMs: () => 0,
    pullIntervalMs: 0,
    pull: () => {
      const pull = Promise.withResolvers<number>();
      pulls.push(pull);
      return pull.promise;
    },
  });
  const first = await acquired(gate, 'a');
  expect(gate.shouldDefer('a')).toBe(true);
  first.release(FAST_MS);
  expect(pulls).toHaveLength(1);
  expect(gate.shouldDefer('a')).toBe(true);
  given(pulls[0]).resolve(0);
  await waitUntil(() => pulls.length === 2, { what: 'another pull' });
});

test('deliveries to a healthy endpoint are not deferred while slots are free', async () => {
  const { gate } = openGate();
  (await acquired(gate, 'a')).release(FAST_MS);
  await acquired(gate, 'a');
  expect(gate.shouldDefer('a')).toBe(false);
});

test('a closed gate pulls nothing', async () => {
  const { gate, state } = openGate({ due: 5 });
  (await acquired(gate, 'a')).release(SLOW_MS);
  const probe = await acquired(gate, 'a');
  await gate.acquire('a');
  gate.close();
  probe.release(FAST_MS);
  await nextTurn();
  expect(state.pulls).toEqual([]);
});

test('no job waits behind an attempt that is in flight for long', async () => {
  const { gate, state } = openGate();
  await acquired(gate, 'a');
  expect(await immediately(gate, 'a')).toBe('waits');
  state.nowMs += 600;
  expect(await immediately(gate, 'a')).toBe('deferred');
});

test('a waiting job is deferred after half a second', async () => {
  const { gate } = openGate();
  await acquired(gate, 'a');
  const startedMs = performance.now();
  expect(await gate.acquire('a')).toBeNull();
  expect(performance.now() - startedMs).toBeGreaterThan(450);
});

test('a slot released without an attempt changes no limit, and only its first release counts', async () => {
  const { gate } = openGate();
  (await acquired(gate, 'a')).release(SLOW_MS);
  const slot = await acquired(gate, 'a');
  slot.release(null);
  slot.release(FAST_MS);
  await acquired(gate, 'a');
  expect(gate.inFlight).toBe(1);
  expect(await immediately(gate, 'a')).toBe('deferred');
});
