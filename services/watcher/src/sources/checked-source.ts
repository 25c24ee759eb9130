import { meetsTarget, parseBlockHeader } from '@paywatch/domain/chain';
import {
  InvalidSourceDataError,
  type ChainSource,
  type SourceHeader,
  type SourceTip,
} from './chain-source.ts';
import type { HeaderChain, ValidatedHeader } from './header-chain.ts';

/**
 * A source whose headers are validated before use, and whose tip reports the proven work. `isCutOff`: whether another
 * source has had more work for long. Blocks are checked when they are parsed: see `readBlock`.
 */
export function checkedSource(
  source: ChainSource,
  headers: HeaderChain,
  isCutOff: () => boolean,
): ChainSource {
  const checked: Partial<ChainSource> = {
    getTip: async (): Promise<SourceTip> => {
      const tip = await source.getTip();
      const { work } = await headers.accept(source, tip);
      return { ...tip, work, isCutOff: isCutOff() };
    },
    getHeader: (hash) => getHeader(source, headers, hash),
  };
  return new Proxy(source, {
    get: (target, name) => {
      const value: unknown = Reflect.get(name in checked ? checked : target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Headers below all known ones can only be checked on their own. */
async function getHeader(source: ChainSource, headers: HeaderChain, hash: string): Promise<SourceHeader> {
  const known = headers.find(hash);
  if (known) return toSourceHeader(known);
  const read = await source.getHeader(hash);
  if (read.height > headers.lowestHeight) return toSourceHeader(await headers.accept(source, read));
  const { bits, ...parsed } = parseBlockHeader(read.raw);
  if (parsed.hash !== hash || !meetsTarget(headers.rules.currency, read.raw, bits))
    throw new InvalidSourceDataError(source.name, `block ${hash} does not meet its target`);
  return read;
}

function toSourceHeader({ height, hash, prevHash, timeMs, raw }: ValidatedHeader): SourceHeader {
  return { height, hash, prevHash, timeMs, raw };
}
