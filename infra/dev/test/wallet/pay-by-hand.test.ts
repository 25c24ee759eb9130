import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { formatCoins } from '../../src/wallet/format-coins.ts';
import { freePort } from '../../src/servers/free-port.ts';
import type { Payer } from '../../src/wallet/payer.ts';
import { unownedAddress } from '../../src/wallet/regtest-address.ts';
import { createMerchantWallet } from '../../src/wallet/merchant-wallet.ts';
import { currencyOf, dueOfUri, payTarget } from '../../src/wallet/pay-target.ts';
import { createTerminal } from '../../src/commands/terminal.ts';

describe('the argument of npm run pay', () => {
  test.each(['BTC', 'LTC'] as const)('an address of %s is recognized by its prefix', (currency) => {
    expect(currencyOf(unownedAddress(currency))).toBe(currency);
  });

  test('an address that is valid on both chains needs a currency', () => {
    expect(() => currencyOf('mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn')).toThrow(/may be BTC or LTC/);
  });

  test.each(['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'nonsense', ''])('%j is refused', (target) => {
    expect(() => currencyOf(target)).toThrow(/is not a regtest address/);
  });

  test.each([
    ['bitcoin:bcrt1qabc?amount=0.0015&label=x', { currency: 'BTC', address: 'bcrt1qabc', amount: '150000' }],
    ['LITECOIN:rltc1qabc?amount=2', { currency: 'LTC', address: 'rltc1qabc', amount: '200000000' }],
    ['litecoin:rltc1qabc', { currency: 'LTC', address: 'rltc1qabc', amount: undefined }],
    ['rltc1qabc', undefined],
  ])('%s', (uri, expected) => {
    expect(dueOfUri(uri)).toEqual(expected);
  });

  test('a pay_url is paid with its due amount, unless an amount is given', async () => {
    const address = unownedAddress('LTC');
    const port = await freePort();
    const api = createServer((request, response) => {
      const isKnown = request.url === '/v1/public/invoices/inv_2q3w';
      response
        .writeHead(isKnown ? 200 : 404)
        .end(JSON.stringify({ currency: 'LTC', address, due_amount: '123456', code: 'invoice_not_found' }));
    });
    await once(api.listen(port, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${port}`;
    const paid: [string | Uint8Array, bigint][] = [];
    const payers = { BTC: recordingPayer(paid), LTC: recordingPayer(paid) };
    await payTarget({ url, payers }, { target: `${url}/pay/inv_2q3w` });
    await payTarget({ url, payers }, { target: 'inv_2q3w', amount: '7' });
    expect(paid).toEqual([
      [address, 123456n],
      [address, 7n],
    ]);
    await expect(payTarget({ url, payers }, { target: 'inv_unknown' })).rejects.toThrow(/invoice_not_found/);
    api.close();
    api.closeAllConnections();
  });
});

/** A payer that only records calls of `pay`; real payers have their own tests. */
function recordingPayer(paid: [string | Uint8Array, bigint][]): Pick<Payer, 'pay'> {
  return {
    pay: async (to, amount) => {
      paid.push([to, amount]);
      return { txid: 'a1', rawHex: '', fee: 0n };
    },
  };
}

test.each([
  ['250000', '0.0025'],
  ['100000000', '1'],
  ['2100000000000000', '21000000'],
  ['1', '0.00000001'],
  ['1000000000', '10'],
])('%s minimal units are %s coins', (amount, expected) => {
  expect(formatCoins(amount)).toBe(expected);
});

test.each([
  ['BTC', /^tpub/, /^bcrt1q/],
  ['LTC', /^Ltub/, /^rltc1q/],
] as const)(
  'a merchant wallet for %s exports a public key and shows its addresses',
  (currency, key, address) => {
    const wallet = createMerchantWallet(currency);
    expect(wallet.xpub).toMatch(key);
    expect(wallet.addressAt(0)).toMatch(address);
    expect(wallet.addressAt(0)).not.toBe(createMerchantWallet(currency).addressAt(0));
  },
);

test('in a pipe only finished steps are printed; a failed step is marked and its error rethrown', async () => {
  let written = '';
  const terminal = createTerminal({ write: (text) => (written += text) });
  await terminal.step('A block is mined', async () => 7, String);
  await expect(terminal.step('It breaks', () => Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  );
  expect(written).toMatch(/^✓ A block is mined: 7 \d\.\d s\n✗ It breaks \d\.\d s\n$/);
});
