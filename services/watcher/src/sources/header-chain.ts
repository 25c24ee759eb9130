import {
  findHeaderFault,
  HEADER_BYTES,
  lowestNeeded,
  meetsTarget,
  parseBlockHeader,
  workOfBits,
  type BlockPlace,
  type ChainedHeader,
  type HeaderRules,
} from '@paywatch/domain/chain';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  ChainSourceError,
  InvalidSourceDataError,
  type ChainSource,
  type SourceHeader,
} from './chain-source.ts';

/** A header that passed every rule, or an ancestor of one, proven by its hash. */
export type ValidatedHeader = ChainedHeader & {
  raw: Uint8Array;
  /** The work of the chain up to here, relative to the first known header: negative below it. */
  work: bigint;
};

/** Where headers are read from. */
export type HeaderReader = Pick<ChainSource, 'name' | 'getHeader' | 'getHeaders'>;

/** Headers fetched at once. */
const BATCH = 100;
/** Headers validated without a pause: scrypt takes a millisecond each, and other work must not wait for all of them. */
const SLICE = 16;
/**
 * While no header is known, the chain of the first source is trusted up to this depth below its tip, deeper than
 * reorganisations go.
 */
const FIRST_DEPTH = 144;
/** Headers kept below the newest: two retarget periods. */
const KEPT = 4200;

/** The chain of a source forks off below all known headers, so its work cannot be compared. */
export class UnrelatedChainError extends ChainSourceError {
  override name = 'UnrelatedChainError';
}

/**
 * The headers of one network from all of its sources. Unknown headers are validated from the last known one on, so sources are
 * compared by proven work, whatever they report.
 */
export class HeaderChain {
  readonly rules: HeaderRules;
  readonly #loadTrusted: () => Promise<readonly BlockPlace[]>;
  readonly #headers = new Map<string, ValidatedHeader>();
  #trusted: ReadonlyMap<string, BlockPlace> | null = null;
  #lowestTrusted = Infinity;
  #lowest: ValidatedHeader | null = null;
  #highest = 0;

  /** `loadTrusted` reads the blocks that this deployment has followed before: validation starts from them. */
  constructor(rules: HeaderRules, loadTrusted: () => Promise<readonly BlockPlace[]>) {
    this.rules = rules;
    this.#loadTrusted = loadTrusted;
  }

  /** No header is known: the first accepted source decides where validation starts. */
  get isEmpty(): boolean {
    return this.#lowest === null;
  }

  /** The lowest known height; Infinity if no header is known. */
  get lowestHeight(): number {
    return this.#lowest?.height ?? Infinity;
  }

  find(hash: string): ValidatedHeader | undefined {
    return this.#headers.get(hash);
  }

  /** Whether a known header is an ancestor of another one, or that header itself. */
  isAncestor(hash: string, of: ValidatedHeader): boolean {
    const height = this.#headers.get(hash)?.height ?? Infinity;
    let header: ValidatedHeader | undefined = of;
    while (header && header.height > height) header = this.#headers.get(header.prevHash);
    return header?.hash === hash;
  }

  /**
   * Validates the header at this position of a source's chain and all unknown headers below it. Safe to repeat and to run for
   * several sources at once. Throws InvalidSourceDataError if a header breaks the rules, UnrelatedChainError, and
   * ChainSourceError if the source fails.
   */
  async accept(source: HeaderReader, top: BlockPlace): Promise<ValidatedHeader> {
    await this.#loadOnce();
    const unknown = await this.#readUnknown(source, top);
    const parent = this.#headers.get(unknown[0]?.prevHash ?? '');
    if (parent) {
      await this.#linkBelow(
        source,
        parent,
        Math.min(...unknown.map(({ height }) => lowestNeeded(this.rules, height))),
      );
      await this.#validate(source, unknown);
    }
    const accepted = this.#headers.get(top.hash);
    if (accepted?.height === top.height) return accepted;
    throw new ChainSourceError(`${source.name}: block ${top.hash} is not at height ${top.height}`);
  }

  async #loadOnce(): Promise<void> {
    if (this.#trusted) return;
    const places = await this.#loadTrusted();
    this.#trusted ??= new Map(places.map((place) => [place.hash, place]));
    this.#highest = Math.max(this.#highest, ...places.map(({ height }) => height));
    this.#lowestTrusted = Math.min(...places.map(({ height }) => height));
  }

  /** Unknown headers of the source, lowest first. Afterwards the parent of the first one is known. */
  async #readUnknown(source: HeaderReader, top: BlockPlace): Promise<SourceHeader[]> {
    const newestFirst: SourceHeader[] = [];
    let next = top;
    while (!(await this.#isReached(source, next, newestFirst.length))) {
      const read = await readDown(source, next, this.#countToRead(next, newestFirst.length));
      const known = read.findIndex((header) => this.#headers.has(header.hash) || this.#isStart(header));
      newestFirst.push(...(known === -1 ? read : read.slice(0, known)));
      next = placeBelow(newestFirst.at(-1)) ?? top;
    }
    return newestFirst.toReversed();
  }

  #countToRead({ height }: BlockPlace, alreadyRead: number): number {
    const expected = this.#highest === 0 ? FIRST_DEPTH - alreadyRead : height - this.#highest;
    return Math.min(Math.max(expected, 1), BATCH, height + 1);
  }

  /** Whether the header at this position is known. Adds a trusted one, and the very first one. */
  async #isReached(source: HeaderReader, place: BlockPlace, depth: number): Promise<boolean> {
    if (this.#headers.has(place.hash)) return true;
    if (this.#isStart(place)) return this.#addTrusted(source, place);
    if (this.#trusted?.size === 0 && this.isEmpty) {
      const isStart = depth >= FIRST_DEPTH || place.height === 0;
      return isStart && this.#addRoot(source, place);
    }
    const lowest = Math.min(this.lowestHeight, this.#lowestTrusted);
    if (place.height > lowest) return false;
    throw new UnrelatedChainError(
      `${source.name}: leaves the chain that is known below block ${lowest}; is it another network?`,
    );
  }

  /** Whether the known headers can start at, or be extended down to, this block, which was followed before. */
  #isStart({ hash, height }: BlockPlace): boolean {
    return this.#trusted?.has(hash) === true && height < this.lowestHeight;
  }

  async #addTrusted(source: HeaderReader, place: BlockPlace): Promise<boolean> {
    const header = toHeader(await source.getHeader(place.hash), source, place);
    if (this.#lowest) await this.#linkBelow(source, this.#lowest, place.height);
    else this.#add(header, 0n);
    return this.#headers.has(place.hash);
  }

  /** Only the work of this header and the checkpoint of the network prove it. */
  async #addRoot(source: HeaderReader, place: BlockPlace): Promise<boolean> {
    const header = toHeader(await source.getHeader(place.hash), source, place);
    const { known, currency } = this.rules;
    if (!meetsTarget(currency, header.raw, header.bits))
      throw new InvalidSourceDataError(source.name, `block ${header.hash} does not meet its target`);
    if (known && workOfBits(header.bits) < known.leastBlockWork)
      throw new ChainSourceError(
        `${source.name}: block ${header.hash} has far less work than blocks of this network`,
      );
    if (this.isEmpty) this.#add(header, 0n);
    return this.#headers.has(place.hash);
  }

  /** Adds ancestors of a known header down to this height: their hashes prove them. */
  async #linkBelow(source: HeaderReader, from: ValidatedHeader, height: number): Promise<void> {
    let last = from;
    while (last.height > height) {
      const known = this.#headers.get(last.prevHash);
      if (known) {
        last = known;
        continue;
      }
      const place = { hash: last.prevHash, height: last.height - 1 };
      const headers = await readDown(source, place, Math.min(place.height - height + 1, BATCH));
      for (const read of headers) {
        const work = last.work - workOfBits(last.bits);
        last = this.#add(toHeader(read, source, { hash: last.prevHash, height: last.height - 1 }), work);
      }
    }
  }

  async #validate(source: HeaderReader, lowestFirst: readonly SourceHeader[]): Promise<void> {
    for (const [index, read] of lowestFirst.entries()) {
      if (index % SLICE === SLICE - 1) await nextTurn();
      const parent = this.#headers.get(parseBlockHeader(read.raw).prevHash);
      if (!parent) throw new ChainSourceError(`${source.name}: its headers changed during the read`);
      this.#validateOne(source, read, parent);
    }
    this.#forgetOld();
  }

  #validateOne(source: HeaderReader, read: SourceHeader, parent: ValidatedHeader): void {
    const header = toHeader(read, source, { hash: read.hash, height: parent.height + 1 });
    const fault = findHeaderFault(
      this.rules,
      { raw: header.raw, header: parseBlockHeader(header.raw) },
      parent,
      (hash) => this.#headers.get(hash),
    );
    if (fault !== null) throw new InvalidSourceDataError(source.name, `block ${header.hash} ${fault}`);
    this.#add(header, parent.work + workOfBits(header.bits));
  }

  #add(header: ChainedHeader & { raw: Uint8Array }, work: bigint): ValidatedHeader {
    const validated = { ...header, work };
    this.#headers.set(header.hash, validated);
    this.#highest = Math.max(this.#highest, header.height);
    if (header.height < this.lowestHeight) this.#lowest = validated;
    return validated;
  }

  #forgetOld(): void {
    if (this.#headers.size < 2 * KEPT) return;
    const kept = [...this.#headers.values()].filter(({ height }) => height >= this.#highest - KEPT);
    const forgotten = [...this.#headers.values()].filter(({ height }) => height < this.#highest - KEPT);
    for (const { hash } of forgotten) this.#headers.delete(hash);
    this.#lowest = kept.toSorted((a, b) => a.height - b.height)[0] ?? null;
  }
}

/**
 * The header at this position and some below it, newest first; at least one. Throws InvalidSourceDataError if the source
 * returns another one.
 */
async function readDown(source: HeaderReader, place: BlockPlace, count: number): Promise<SourceHeader[]> {
  const read = count > 1 ? await readBatch(source, place, count) : [];
  if (read.length > 0) return read;
  const header = await source.getHeader(place.hash);
  return [{ ...header, ...toHeader(header, source, place) }];
}

/** Empty if the batch is not a chain: the best chain changed between the responses, or the source sent invalid data. */
async function readBatch(source: HeaderReader, place: BlockPlace, count: number): Promise<SourceHeader[]> {
  // The request for a single header that follows reports any error.
  const read = (await source.getHeaders?.(place, count).catch(() => [])) ?? [];
  const areLinked = read.every(({ hash }, index) => hash === (read[index - 1]?.prevHash ?? place.hash));
  return areLinked ? read : [];
}

/** Uses only the header's own bytes, not what the source reports about it. Throws InvalidSourceDataError. */
function toHeader(
  { raw }: SourceHeader,
  { name }: HeaderReader,
  { hash, height }: BlockPlace,
): ChainedHeader & { raw: Uint8Array } {
  if (raw.length !== HEADER_BYTES)
    throw new ChainSourceError(`${name}: the header of block ${hash} is cut off`);
  const parsed = parseBlockHeader(raw);
  if (parsed.hash !== hash)
    throw new InvalidSourceDataError(name, `the header of block ${hash} hashes to ${parsed.hash}`);
  // A copy: these bytes may be a few of a large buffer, all of which would stay in memory.
  return { height, raw: new Uint8Array(raw), ...parsed };
}

function placeBelow(header: SourceHeader | undefined): BlockPlace | undefined {
  return header && { hash: header.prevHash, height: header.height - 1 };
}
