import { expect, test } from 'vitest';
import {
  initialState,
  SLOW_MS,
  transition,
  type EndpointEvent,
  type EndpointState,
} from '../src/attempts/endpoint-state.ts';

const attemptOf = (durationMs: number): EndpointEvent => ({
  kind: 'attempt_ended',
  durationMs,
  maxLimit: 3,
});

test.for<[from: EndpointState['health'], durationMs: number, to: EndpointState['health'], limit: number]>([
  ['new', SLOW_MS - 1, 'healthy', 3],
  ['healthy', SLOW_MS - 1, 'healthy', 3],
  ['slow', SLOW_MS - 1, 'healthy', 3],
  ['new', SLOW_MS, 'slow', 1],
  ['healthy', SLOW_MS, 'slow', 1],
  ['slow', SLOW_MS, 'slow', 1],
])('a %s endpoint, after an attempt of %i ms, is %s', ([health, durationMs, to, limit]) => {
  const state = { health, limit: 2, backlog: 'pulling' } as const;
  expect(transition(state, attemptOf(durationMs))).toEqual({ health: to, limit, backlog: 'pulling' });
});

test('the limit grows by one for each fast attempt, up to the cap', () => {
  const limits: number[] = [];
  let state = initialState('new');
  for (let attempt = 0; attempt < 4; attempt += 1) {
    limits.push(state.limit);
    state = transition(state, attemptOf(0));
  }
  expect(limits).toEqual([1, 2, 3, 3]);
});

test.for<[from: EndpointState['backlog'], event: EndpointEvent, to: EndpointState['backlog']]>([
  ['none', { kind: 'delivery_deferred' }, 'deferred'],
  ['deferred', { kind: 'delivery_deferred' }, 'deferred'],
  ['scheduled', { kind: 'delivery_deferred' }, 'scheduled'],
  ['pulling', { kind: 'delivery_deferred' }, 'outdated'],
  ['outdated', { kind: 'delivery_deferred' }, 'outdated'],
  ['deferred', { kind: 'pull_scheduled' }, 'scheduled'],
  ['scheduled', { kind: 'pull_canceled' }, 'deferred'],
  ['scheduled', { kind: 'pull_started' }, 'pulling'],
  ['pulling', { kind: 'pull_ended', filledAll: false }, 'none'],
  ['pulling', { kind: 'pull_ended', filledAll: true }, 'deferred'],
  ['outdated', { kind: 'pull_ended', filledAll: false }, 'deferred'],
  ['outdated', { kind: 'pull_ended', filledAll: true }, 'deferred'],
])('backlog %s: after %j it is %s', ([from, event, to]) => {
  const state = { health: 'healthy', limit: 2, backlog: from } as const;
  expect(transition(state, event)).toEqual({ ...state, backlog: to });
});
