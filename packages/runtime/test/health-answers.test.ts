import { expect, test } from 'vitest';
import {
  answerLive,
  answerReady,
  LIVE_STALL_SECONDS,
  READY_STALL_SECONDS,
  type ProcessState,
} from '../src/health/health-answers.ts';

const fine: ProcessState = {
  stalledSeconds: 0,
  isDraining: false,
  readiness: { status: 200, body: { status: 'ok' } },
};

test.each([
  ['all is well', fine, 200],
  ['the event loop stalls for five seconds', { ...fine, stalledSeconds: 5 }, 200],
  ['it stalls as long as is borne', { ...fine, stalledSeconds: READY_STALL_SECONDS }, 200],
  ['it stalls for longer', { ...fine, stalledSeconds: READY_STALL_SECONDS + 1 }, 503],
  ['it drains', { ...fine, isDraining: true }, 503],
  ['it has never reported', { ...fine, readiness: null }, 503],
  ['its last report was bad', { ...fine, readiness: { status: 503, body: {} } }, 503],
])('readiness where %s', (_case, state, status) => {
  expect(answerReady(state).status).toBe(status);
});

test.each([
  ['it stalls for a while', { ...fine, stalledSeconds: LIVE_STALL_SECONDS }, 200],
  ['it is dead', { ...fine, stalledSeconds: LIVE_STALL_SECONDS + 1 }, 503],
  ['what it depends on is away', { ...fine, readiness: { status: 503, body: {} } }, 200],
])('liveness where %s', (_case, state, status) => {
  expect(answerLive(state).status).toBe(status);
});

test('a balancer gives up before an orchestrator restarts', () => {
  expect(READY_STALL_SECONDS).toBeGreaterThan(5);
  expect(LIVE_STALL_SECONDS).toBeGreaterThan(READY_STALL_SECONDS);
});
