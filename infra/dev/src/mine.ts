/** The entry of `npm run mine -- [BTC | LTC] [number of blocks]`: one block on both chains unless told otherwise. */
import { askToMine } from './control.ts';

const wishes = process.argv.slice(2);
const currency = wishes.map((wish) => wish.toUpperCase()).find((wish) => wish === 'BTC' || wish === 'LTC');
const count = Number(wishes.find((wish) => /^\d+$/.test(wish)) ?? 1);
try {
  const heights = await askToMine({ count, ...(currency === undefined ? {} : { currency }) });
  for (const [chain, height] of Object.entries(heights)) console.log(`${chain}: block ${height}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
