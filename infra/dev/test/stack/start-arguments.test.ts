import { expect, test } from 'vitest';
import { readStartArguments } from '../../src/stack/start-arguments.ts';

test.each([
  [[], { isOnce: false, port: null, fault: null }],
  [['--once'], { isOnce: true, port: null, fault: null }],
  [['--port', '9000'], { isOnce: false, port: 9000, fault: null }],
  [['--once', '--port=65535'], { isOnce: true, port: 65_535, fault: null }],
])('%j is understood', (args, expected) => {
  expect(readStartArguments(args)).toEqual(expected);
});

test.each([[['--port', '0']], [['--port', '65536']], [['--port', 'http']], [['--prot', '1']], [['--port']]])(
  '%j is rejected with the usage',
  (args) => {
    expect(readStartArguments(args).fault).toContain('npm start -- [--once] [--port N]');
  },
);
