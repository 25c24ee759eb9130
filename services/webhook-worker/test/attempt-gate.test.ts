import { expect, test } from 'vitest';
import { createAttemptGate, SLOW_MS, type Admission, type AttemptGate } from '../src/attempt-gate.ts';

const FAST_MS = 20;

function openGate(options: { perEndpoint?: number; places?: number } = {}) {
  let nowMs = 1_000_000;
  const gate = createAttemptGate({ perEndpoint: 4, places: 40, nowMs: () => nowMs, ...options });
  return { gate, pass: (ms: number) => (nowMs += ms) };
}

async function admitted(
  gate: AttemptGate,
  project: string,
): Promise<Extract<Admission, { kind: 'admitted' }>> {
  const admission = await gate.enter(project);
  if (admission.kind !== 'admitted') throw new Error(`${project} was put back`);
  return admission;
}

test('an unknown endpoint has one place; each attempt that comes back soon adds one, up to the cap', async () => {
  const { gate } = openGate();
  const first = await admitted(gate, 'a');
  const waiting = Array.from({ length: 4 }, () => gate.enter('a'));
  expect(gate.inFlight()).toBe(1);
  first.leave(FAST_MS);
  const [second, third] = await Promise.all(waiting.slice(0, 2));
  expect(gate.inFlight()).toBe(2);
  if (second?.kind === 'admitted') second.leave(FAST_MS);
  if (third?.kind === 'admitted') third.leave(FAST_MS);
  await Promise.all(waiting.slice(2));
  await admitted(gate, 'a');
  await admitted(gate, 'a');
  expect(gate.inFlight()).toBe(4);
  expect(await Promise.race([gate.enter('a'), Promise.resolve('waits')])).toBe('waits');
});

test('an endpoint whose attempt was slow has one place until one comes back soon', async () => {
  const { gate } = openGate();
  (await admitted(gate, 'a')).leave(SLOW_MS);
  const probe = await admitted(gate, 'a');
  expect((await gate.enter('a')).kind).toBe('put_back');
  probe.leave(FAST_MS);
  const next = await admitted(gate, 'a');
  const waiting = gate.enter('a');
  next.leave(FAST_MS);
  expect((await waiting).kind).toBe('admitted');
  await admitted(gate, 'a');
  expect(gate.inFlight()).toBe(2);
});

test('what waits for an endpoint that turns out to be slow is put back', async () => {
  const { gate } = openGate();
  const slow = await admitted(gate, 'a');
  const waiting = [gate.enter('a'), gate.enter('a')];
  slow.leave(SLOW_MS);
  const kinds = (await Promise.all(waiting)).map((admission) => admission.kind);
  expect(kinds).toEqual(['admitted', 'put_back']);
});

test('suspects together hold no more than their share, however many they are', async () => {
  const { gate } = openGate({ places: 4 });
  for (const project of ['a', 'b', 'c', 'd']) (await admitted(gate, project)).leave(SLOW_MS);
  const kinds = [];
  for (const project of ['a', 'b', 'c', 'd']) kinds.push((await gate.enter(project)).kind);
  expect(kinds).toEqual(['admitted', 'admitted', 'put_back', 'put_back']);
  await admitted(gate, 'healthy');
});

test('a backlog is put back to moments as far apart as the endpoint takes them, at most a minute away', async () => {
  const { gate } = openGate();
  (await admitted(gate, 'a')).leave(10_000);
  await admitted(gate, 'a');
  const delays: number[] = [];
  for (let count = 0; count < 40; count += 1) {
    const admission = await gate.enter('a');
    if (admission.kind === 'put_back') delays.push(admission.delayMs);
  }
  expect(delays.slice(0, 6)).toEqual([10_000, 20_000, 30_000, 40_000, 50_000, 60_000]);
  expect(Math.max(...delays)).toBe(60_000);
  expect(delays).toHaveLength(40);
});

test('nobody waits for an endpoint whose attempt in flight has been out for long', async () => {
  const { gate, pass } = openGate();
  await admitted(gate, 'a');
  expect(await Promise.race([gate.enter('a'), Promise.resolve('waits')])).toBe('waits');
  pass(600);
  expect((await gate.enter('a')).kind).toBe('put_back');
});

test('who waits is put back after half a second', async () => {
  const { gate } = openGate();
  await admitted(gate, 'a');
  const beganMs = performance.now();
  expect((await gate.enter('a')).kind).toBe('put_back');
  expect(performance.now() - beganMs).toBeGreaterThan(450);
});

test('an attempt that was not made teaches nothing', async () => {
  const { gate } = openGate();
  (await admitted(gate, 'a')).leave(SLOW_MS);
  (await admitted(gate, 'a')).leave(null);
  await admitted(gate, 'a');
  expect((await gate.enter('a')).kind).toBe('put_back');
});
