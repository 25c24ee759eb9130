import { expect, test } from 'vitest';
import {
  answerLive,
  answerReady,
  LIVE_STALL_SECONDS,
  READY_STALL_SECONDS,
  type ProcessState,
} from '../src/health/probe-answers.ts';

const healthy: ProcessState = {
  stalledSeconds: 0,
  isDraining: false,
  readiness: { status: 200, body: { status: 'ok' } },
};

test.each([
  ['all checks pass', healthy, 200],
  ['the event loop stalls for five seconds', { ...healthy, stalledSeconds: 5 }, 200],
  ['it stalls for the allowed time', { ...healthy, stalledSeconds: READY_STALL_SECONDS }, 200],
  ['it stalls for longer', { ...healthy, stalledSeconds: READY_STALL_SECONDS + 1 }, 503],
  ['the process is draining', { ...healthy, isDraining: true }, 503],
  ['there is no report yet', { ...healthy, readiness: null }, 503],
  ['the last report was not ready', { ...healthy, readiness: { status: 503, body: {} } }, 503],
])('readiness when %s', (_case, state, status) => {
  expect(answerReady(state).status).toBe(status);
});

test.each([
  ['the event loop stalls for a while', { ...healthy, stalledSeconds: LIVE_STALL_SECONDS }, 200],
  ['the event loop stalls for longer', { ...healthy, stalledSeconds: LIVE_STALL_SECONDS + 1 }, 503],
  ['a dependency is unavailable', { ...healthy, readiness: { status: 503, body: {} } }, 200],
])('liveness when %s', (_case, state, status) => {
  expect(answerLive(state).status).toBe(status);
});

test('load balancers remove a replica before the orchestrator restarts it', () => {
  expect(READY_STALL_SECONDS).toBeGreaterThan(5);
  expect(LIVE_STALL_SECONDS).toBeGreaterThan(READY_STALL_SECONDS);
});
