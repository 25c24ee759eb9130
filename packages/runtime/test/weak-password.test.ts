import { describe, expect, it } from 'vitest';
import { passwordWeakness } from '../src/security/weak-password.ts';

describe('a password', () => {
  it.each([
    'password',
    '12345678',
    'Password1',
    'QWERTY123',
    'iloveyou',
    'trustno1',
    '        ',
    ' password ',
    'aaaaaaaa',
    'zzzzzzzzzzzz',
    '👋👋👋👋👋👋👋👋',
  ])('that is common is weak: %j', (password) => {
    expect(passwordWeakness(password, 'merchant@example.com')).toMatch(/common/);
  });

  it.each(['merchantx', 'merchant@example.com', 'my-MERCHANT-2026', 'xmerchant@example.comx'])(
    'that contains the email is weak: %j',
    (password) => {
      expect(passwordWeakness(password, 'merchant@example.com')).toMatch(/email/);
    },
  );

  it.each(['paywatch2026!', 'Bitcoin-Litecoin', 'BTC+LTC=1234', 'my wallet', 'Paywatch Admin 1'])(
    'that consists of words about this product is weak: %j',
    (password) => {
      expect(passwordWeakness(password, 'merchant@example.com')).toMatch(/words about/);
    },
  );

  it.each([
    ['paywatch on a rainy day', 'merchant@example.com'],
    ['1234-5678-9012-3456', 'merchant@example.com'],
    ['correct horse', 'merchant@example.com'],
    ['a long enough one', 'a@example.com'],
    ['tr0ub4dor&3', 'merchant@example.com'],
    ['пароль-для-дома', 'merchant@example.com'],
  ])('that is uncommon is accepted: %j of %s', (password, email) => {
    expect(passwordWeakness(password, email)).toBeNull();
  });
});
