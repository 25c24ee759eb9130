import { expect, test } from 'vitest';
import { addRequest, judgeClients, type ClientWindow } from '../../src/requests/client-spread.ts';

function windowOf(...networks: string[]): ClientWindow {
  let window: ClientWindow | null = null;
  for (const network of networks) window = addRequest(window, network);
  if (window === null) throw new Error('a window has a request');
  return window;
}

const many = (network: string) => Array.from({ length: 60 }, () => network);

test('a window knows how many requests it had, and their network while that is one', () => {
  expect(windowOf('a', 'a', 'a')).toEqual({ requests: 3, network: 'a' });
  expect(windowOf('a', 'b', 'a')).toEqual({ requests: 3, network: null });
});

test.for([
  ['no window at all', [], { kind: 'too_few', requests: 0 }],
  ['few requests of one network', [windowOf(...many('a'))], { kind: 'too_few', requests: 60 }],
  [
    'enough requests of one network, over two replicas',
    [windowOf(...many('a')), windowOf(...many('a'))],
    { kind: 'one', requests: 120, network: 'a' },
  ],
  [
    'a network of its own at each replica',
    [windowOf(...many('a')), windowOf(...many('b'))],
    { kind: 'several', requests: 120 },
  ],
  ['a few requests of several networks', [windowOf('a', 'b')], { kind: 'several', requests: 2 }],
] as const)('%s', ([, windows, spread]) => {
  expect(judgeClients(windows)).toEqual(spread);
});
