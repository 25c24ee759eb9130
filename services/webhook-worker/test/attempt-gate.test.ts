import { waitUntil } from '@paywatch/dev/testing';
import { expect, test } from 'vitest';
import { createAttemptGate, SLOW_MS, type AttemptGate, type Place } from '../src/attempts/attempt-gate.ts';
import { given } from './support/given.ts';

const FAST_MS = 20;

/** `due` is what Postgres holds for any project; `pulled` are the places in which attempts were begun from there. */
function openGate(
  options: { perEndpoint?: number; places?: number; due?: number; pullStepMs?: number } = {},
) {
  const state = { nowMs: 1_000_000, due: options.due ?? 0, pulls: [] as number[], pulled: [] as Place[] };
  const gate = createAttemptGate({
    perEndpoint: options.perEndpoint ?? 4,
    places: options.places ?? 40,
    nowMs: () => state.nowMs,
    pullStepMs: options.pullStepMs ?? 0,
    pull: async (_projectId, places) => {
      state.pulls.push(places.length);
      const taken = Math.min(places.length, state.due);
      state.due -= taken;
      state.pulled.push(...places.slice(0, taken));
      return taken;
    },
  });
  return { gate, state };
}

async function admitted(gate: AttemptGate, project: string): Promise<Place> {
  return given(await gate.enter(project));
}

/** What a caller is told at once. */
async function atOnce(gate: AttemptGate, project: string): Promise<'admitted' | 'turned away' | 'waits'> {
  const waits = new Promise<'waits'>((resolve) => setImmediate(() => resolve('waits')));
  return Promise.race([gate.enter(project).then((place) => (place ? 'admitted' : 'turned away')), waits]);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test('an unknown endpoint has one place; each attempt that comes back soon adds one, up to the cap', async () => {
  const { gate } = openGate();
  const first = await admitted(gate, 'a');
  const waiting = Array.from({ length: 4 }, () => gate.enter('a'));
  expect(gate.inFlight()).toBe(1);
  first.leave(FAST_MS);
  const [second, third] = await Promise.all(waiting.slice(0, 2));
  expect(gate.inFlight()).toBe(2);
  second?.leave(FAST_MS);
  third?.leave(FAST_MS);
  await Promise.all(waiting.slice(2));
  await admitted(gate, 'a');
  await admitted(gate, 'a');
  expect(gate.inFlight()).toBe(4);
  expect(await atOnce(gate, 'a')).toBe('waits');
});

test('an endpoint whose attempt was slow has one place until one comes back soon', async () => {
  const { gate, state } = openGate({ due: 9 });
  (await admitted(gate, 'a')).leave(SLOW_MS);
  const probe = await admitted(gate, 'a');
  expect(await atOnce(gate, 'a')).toBe('turned away');
  probe.leave(FAST_MS);
  await nextTurn();
  expect(state.pulls).toEqual([2]);
  expect(gate.inFlight()).toBe(2);
});

test('what waits for an endpoint that turns out to be slow is turned away', async () => {
  const { gate } = openGate();
  const slow = await admitted(gate, 'a');
  const waiting = [gate.enter('a'), gate.enter('a')];
  slow.leave(SLOW_MS);
  expect(await Promise.all(waiting)).toEqual([expect.anything(), null]);
});

test('suspects together hold no more than half of the places, however many they are', async () => {
  const { gate } = openGate({ places: 4 });
  for (const project of ['a', 'b', 'c', 'd']) (await admitted(gate, project)).leave(SLOW_MS);
  const told = [];
  for (const project of ['a', 'b', 'c', 'd']) told.push(await atOnce(gate, project));
  expect(told).toEqual(['admitted', 'admitted', 'turned away', 'turned away']);
  await admitted(gate, 'healthy');
});

test('suspects that come together begin one after the other, spread over ten seconds', async () => {
  const { gate } = openGate({ places: 8 });
  (await admitted(gate, 'healthy')).leave(FAST_MS);
  for (const project of ['a', 'b', 'c', 'd']) (await admitted(gate, project)).leave(SLOW_MS);
  const delays = [];
  for (const project of ['a', 'b', 'c', 'd']) delays.push((await admitted(gate, project)).delayMs);
  expect(delays).toEqual([0, 2500, 5000, 7500]);
  expect((await admitted(gate, 'healthy')).delayMs).toBe(0);
});

test('endpoints that have not answered before begin one after the other; those that have, at once, also after a pause', async () => {
  const { gate } = openGate();
  (await admitted(gate, 'known')).leave(FAST_MS);
  const delays = [];
  for (const project of ['a', 'b', 'known', 'c']) delays.push((await admitted(gate, project)).delayMs);
  expect(delays).toEqual([10, 20, 0, 30]);
});

test('those who wait hold no more than a quarter of the places', async () => {
  const { gate } = openGate({ places: 8 });
  for (const project of ['a', 'b', 'c']) await admitted(gate, project);
  const told = [];
  for (const project of ['a', 'b', 'c']) told.push(await atOnce(gate, project));
  expect(told).toEqual(['waits', 'waits', 'turned away']);
});

test('a suspect’s backlog is pulled one by one, until nothing is left', async () => {
  const { gate, state } = openGate({ due: 2 });
  (await admitted(gate, 'a')).leave(SLOW_MS);
  const probe = await admitted(gate, 'a');
  expect(await gate.enter('a')).toBeNull();
  expect(gate.keepBack('a')).toBe(true);
  probe.leave(SLOW_MS);
  for (let round = 0; round < 5; round += 1) {
    await nextTurn();
    state.pulled.shift()?.leave(SLOW_MS);
  }
  expect(state.pulls).toEqual([1, 1, 1]);
  expect(gate.keepBack('a')).toBe(false);
  expect(gate.inFlight()).toBe(0);
});

test('the backlog of an endpoint that answers is pulled into every place that is free', async () => {
  const { gate, state } = openGate({ due: 5 });
  const first = await admitted(gate, 'a');
  const entered = Array.from({ length: 5 }, () => gate.enter('a'));
  expect(await entered[4]).toBeNull();
  first.leave(FAST_MS);
  for (const waited of entered.slice(0, 4)) (await waited)?.leave(FAST_MS);
  for (let round = 0; round < 9; round += 1) {
    await nextTurn();
    state.pulled.shift()?.leave(FAST_MS);
  }
  expect(state.due).toBe(0);
  expect(gate.inFlight()).toBe(0);
  expect(gate.keepBack('a')).toBe(false);
});

test('places that become free one by one are filled together, and the backlog is known meanwhile', async () => {
  const { gate, state } = openGate({ due: 50, pullStepMs: 30 });
  const first = await admitted(gate, 'a');
  const entered = Array.from({ length: 5 }, () => gate.enter('a'));
  first.leave(FAST_MS);
  for (const waited of entered.slice(0, 4)) (await waited)?.leave(FAST_MS);
  await nextTurn();
  const [, ...later] = state.pulled;
  const roundsBefore = state.pulls.length;
  for (const place of later) place.leave(FAST_MS);
  await nextTurn();
  expect(state.pulls).toHaveLength(roundsBefore);
  expect(gate.keepBack('a')).toBe(true);
  expect(gate.listBacklogs()).toEqual(['a']);
  await waitUntil(() => state.pulls.length > roundsBefore, { what: 'the next round' });
  expect(state.pulls).toHaveLength(roundsBefore + 1);
  expect(gate.inFlight()).toBe(4);
});

test('what comes for an endpoint on trial is kept back, and pulled once that has come back', async () => {
  const { gate, state } = openGate({ due: 1 });
  expect(gate.keepBack('a')).toBe(false);
  const first = await admitted(gate, 'a');
  expect(gate.listBacklogs()).toEqual([]);
  expect(gate.keepBack('a')).toBe(true);
  expect(gate.listBacklogs()).toEqual(['a']);
  first.leave(FAST_MS);
  await nextTurn();
  expect(state.due).toBe(0);
});

test('a delivery that is deferred while a pull runs starts another pull when that one ends', async () => {
  const pulls: PromiseWithResolvers<number>[] = [];
  const gate = createAttemptGate({
    perEndpoint: 4,
    places: 40,
    nowMs: () => 0,
    pullStepMs: 0,
    pull: () => {
      const pull = Promise.withResolvers<number>();
      pulls.push(pull);
      return pull.promise;
    },
  });
  const first = await admitted(gate, 'a');
  expect(gate.keepBack('a')).toBe(true);
  first.leave(FAST_MS);
  expect(pulls).toHaveLength(1);
  expect(gate.keepBack('a')).toBe(true);
  given(pulls[0]).resolve(0);
  await waitUntil(() => pulls.length === 2, { what: 'another pull' });
});

test('what comes for an endpoint that answers is handed over while there are places', async () => {
  const { gate } = openGate();
  (await admitted(gate, 'a')).leave(FAST_MS);
  await admitted(gate, 'a');
  expect(gate.keepBack('a')).toBe(false);
});

test('a gate that is closed pulls nothing', async () => {
  const { gate, state } = openGate({ due: 5 });
  (await admitted(gate, 'a')).leave(SLOW_MS);
  const probe = await admitted(gate, 'a');
  await gate.enter('a');
  gate.close();
  probe.leave(FAST_MS);
  await nextTurn();
  expect(state.pulls).toEqual([]);
});

test('nobody waits behind an attempt that has been out for long', async () => {
  const { gate, state } = openGate();
  await admitted(gate, 'a');
  expect(await atOnce(gate, 'a')).toBe('waits');
  state.nowMs += 600;
  expect(await atOnce(gate, 'a')).toBe('turned away');
});

test('who waits is turned away after half a second', async () => {
  const { gate } = openGate();
  await admitted(gate, 'a');
  const beganMs = performance.now();
  expect(await gate.enter('a')).toBeNull();
  expect(performance.now() - beganMs).toBeGreaterThan(450);
});

test('an attempt that was not made teaches nothing, and leaving twice counts once', async () => {
  const { gate } = openGate();
  (await admitted(gate, 'a')).leave(SLOW_MS);
  const place = await admitted(gate, 'a');
  place.leave(null);
  place.leave(FAST_MS);
  await admitted(gate, 'a');
  expect(gate.inFlight()).toBe(1);
  expect(await atOnce(gate, 'a')).toBe('turned away');
});
