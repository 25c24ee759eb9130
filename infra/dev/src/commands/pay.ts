/** `npm run pay -- <address | payment URI | pay_url | public_id> [amount in minimal units] [BTC | LTC]` */
import { askToPay } from '../stack/control.ts';
import { formatCoins } from '../wallet/format-coins.ts';

const [target, ...rest] = process.argv.slice(2);
if (target === undefined) {
  console.error(
    'usage: npm run pay -- <address | payment URI | pay_url | public_id> [amount in minimal units] [BTC | LTC]',
  );
  process.exit(2);
}
const amount = rest.find((argument) => /^\d+$/.test(argument));
const currency = rest.find((argument) => /^(btc|ltc)$/i.test(argument))?.toUpperCase();
try {
  const paid = await askToPay(target, {
    ...(amount === undefined ? {} : { amount }),
    ...(currency === undefined ? {} : { currency }),
  });
  console.log(`paid ${formatCoins(paid.amount)} ${paid.currency} to ${paid.address} in ${paid.txid}`);
  console.log(`unconfirmed until "npm run mine -- ${paid.currency}"`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
