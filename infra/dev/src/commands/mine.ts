/** The entry of `npm run mine -- [BTC | LTC] [number of blocks]`: one block on both chains unless told otherwise. */
import { askToMine } from '../stack/control.ts';
import { parseMineRequest } from '../stack/mine-request.ts';

try {
  const heights = await askToMine(parseMineRequest(process.argv.slice(2)));
  for (const [chain, height] of Object.entries(heights)) console.log(`${chain}: block ${height}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
