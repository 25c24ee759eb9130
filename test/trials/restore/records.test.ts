import { expect, test } from 'vitest';
import { missingRecords } from './records.ts';

const BACKUP = ['invoice|inv_1|a|1', 'lease|BTC|00|1|now', 'payment|BTC|ff|0|1|1', 'event|evt_1|x|0'];

test('a restored database may have more, but lacks nothing', () => {
  expect(missingRecords(BACKUP, [...BACKUP, 'invoice|inv_2|b|1'])).toEqual([]);
  expect(missingRecords(BACKUP, BACKUP.slice(1))).toEqual(['invoice|inv_1|a|1']);
});

test('a backup without one of the kinds proves nothing', () => {
  for (const record of BACKUP) {
    const others = BACKUP.filter((one) => one !== record);
    expect(() => missingRecords(others, others)).toThrow('the backup has no');
  }
});
