import { expect, test } from 'vitest';
import { createLogger } from '../src/logger.ts';

test('fields that carry secrets never reach the output', () => {
  const lines: string[] = [];
  const logger = createLogger({
    service: 'test',
    level: 'info',
    destination: { write: (line) => lines.push(line) },
  });
  logger.info({
    token: 'canary',
    body: { password: 'canary', deep: { xpub: 'canary' } },
    headers: { 'x-api-key': 'canary' },
  });
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain('canary');
});

test('however many loggers a process has, it waits for its end once', () => {
  const before = process.listenerCount('exit');
  for (let count = 0; count < 20; count += 1) createLogger({ service: 'test', level: 'info' });
  expect(process.listenerCount('exit')).toBeLessThanOrEqual(before + 1);
});
