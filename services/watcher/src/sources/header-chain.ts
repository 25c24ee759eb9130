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
import { ChainSourceError, SourceLieError, type ChainSource, type SourceHeader } from './chain-source.ts';

/** A header to which every rule was applied, or which lies below one by its hash. */
export type ValidatedHeader = ChainedHeader & {
  raw: Uint8Array;
  /** The work of the chain up to here, counted from the first header that was known: negative below it. */
  work: bigint;
};

/** What headers are read from. */
export type HeaderReader = Pick<ChainSource, 'name' | 'getHeader' | 'getHeaders'>;

/** Headers asked for at once. */
const BATCH = 100;
/** Validated in one go: scrypt takes a millisecond each, and other work must not wait for all. */
const SLICE = 16;
/** Where nothing is known yet, the first source's chain is trusted so far below its tip: deeper than reorganisations go. */
const FIRST_DEPTH = 144;
/** Kept below the newest: two periods between retargets. */
const KEPT = 4200;

/** The chain of a source leaves ours below everything that is known: there is nothing to compare its work from. */
export class UnrelatedChainError extends ChainSourceError {
  override name = 'UnrelatedChainError';
}

/**
 * The headers of one network, from all of its sources. What is not known yet is validated from where it leaves what is
 * known, so sources are compared by work that was proven, whatever they report themselves.
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

  /** Nothing is known yet: the first source that is accepted decides where validation starts. */
  get isEmpty(): boolean {
    return this.#lowest === null;
  }

  /** Headers are known from this height on; Infinity before the first. */
  get lowestHeight(): number {
    return this.#lowest?.height ?? Infinity;
  }

  find(hash: string): ValidatedHeader | undefined {
    return this.#headers.get(hash);
  }

  /** Whether a known header lies on the chain below another one, or is that one. */
  isAncestor(hash: string, of: ValidatedHeader): boolean {
    const height = this.#headers.get(hash)?.height ?? Infinity;
    let header: ValidatedHeader | undefined = of;
    while (header && header.height > height) header = this.#headers.get(header.prevHash);
    return header?.hash === hash;
  }

  /**
   * Validates the header at this place of a source's chain, with all below it that are not known. Safe to call for several
   * sources at once, and again. Throws SourceLieError where a header breaks the rules, UnrelatedChainError, and
   * ChainSourceError where the source fails.
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

  /** Headers of the source that are not known, lowest first. The parent of the first one is known afterwards. */
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

  /** Whether this place is known; a trusted one, and the first one of all, are made known. */
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

  /** Whether what is known can begin at, or be extended down to, this block that was followed before. */
  #isStart({ hash, height }: BlockPlace): boolean {
    return this.#trusted?.has(hash) === true && height < this.lowestHeight;
  }

  async #addTrusted(source: HeaderReader, place: BlockPlace): Promise<boolean> {
    const header = toHeader(await source.getHeader(place.hash), source, place);
    if (this.#lowest) await this.#linkBelow(source, this.#lowest, place.height);
    else this.#add(header, 0n);
    return this.#headers.has(place.hash);
  }

  /** Nothing tells that this header is right but its own work, and what is known of the network. */
  async #addRoot(source: HeaderReader, place: BlockPlace): Promise<boolean> {
    const header = toHeader(await source.getHeader(place.hash), source, place);
    const { known, currency } = this.rules;
    if (!meetsTarget(currency, header.raw, header.bits))
      throw new SourceLieError(source.name, `block ${header.hash} does not meet its target`);
    if (known && workOfBits(header.bits) < known.leastBlockWork)
      throw new ChainSourceError(
        `${source.name}: block ${header.hash} has far less work than blocks of this network`,
      );
    if (this.isEmpty) this.#add(header, 0n);
    return this.#headers.has(place.hash);
  }

  /** Makes ancestors of a known header known, down to this height: their hashes prove them. */
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
      if (!parent) throw new ChainSourceError(`${source.name}: its headers changed while they were read`);
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
    if (fault !== null) throw new SourceLieError(source.name, `block ${header.hash} ${fault}`);
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

/** The header at this place and some below it, newest first; at least one. Throws SourceLieError for another one. */
async function readDown(source: HeaderReader, place: BlockPlace, count: number): Promise<SourceHeader[]> {
  const read = count > 1 ? await readBatch(source, place, count) : [];
  if (read.length > 0) return read;
  const header = await source.getHeader(place.hash);
  return [{ ...header, ...toHeader(header, source, place) }];
}

/** Nothing where the batch does not hang together: the best chain changed between the answers, or the source lies. */
async function readBatch(source: HeaderReader, place: BlockPlace, count: number): Promise<SourceHeader[]> {
  // Whatever is wrong, the question for a single header that follows says it.
  const read = (await source.getHeaders?.(place, count).catch(() => [])) ?? [];
  const areLinked = read.every(({ hash }, index) => hash === (read[index - 1]?.prevHash ?? place.hash));
  return areLinked ? read : [];
}

/** Reads the header's own bytes: nothing else that the source says of it counts. Throws SourceLieError. */
function toHeader(
  { raw }: SourceHeader,
  { name }: HeaderReader,
  { hash, height }: BlockPlace,
): ChainedHeader & { raw: Uint8Array } {
  if (raw.length !== HEADER_BYTES)
    throw new ChainSourceError(`${name}: the header of block ${hash} is cut off`);
  const parsed = parseBlockHeader(raw);
  if (parsed.hash !== hash)
    throw new SourceLieError(name, `the header of block ${hash} hashes to ${parsed.hash}`);
  return { height, raw, ...parsed };
}

function placeBelow(header: SourceHeader | undefined): BlockPlace | undefined {
  return header && { hash: header.prevHash, height: header.height - 1 };
}
