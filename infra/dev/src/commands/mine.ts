/** `npm run mine -- [BTC | LTC] [number of blocks]`: mines one block on both chains by default. */
import { askToMine } from '../stack/control.ts';
import { parseMineRequest } from '../stack/mine-request.ts';

try {
  const heights = await askToMine(parseMineRequest(process.argv.slice(2)));
  for (const [chain, height] of Object.entries(heights)) console.log(`${chain}: block ${height}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
