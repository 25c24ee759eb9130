import { networkOfGenesis, type Currency, type Network } from '@paywatch/domain';
import { pause, type Clock, type Logger } from '@paywatch/runtime';
import { ChainSourceError, type ChainSource, type SourceListener, type SourceTip } from './chain-source.ts';
import { chooseSource, isOutdone, type SourceStanding } from './choose-source.ts';

/** How often all sources of a chain are looked at, where there are several. */
const SURVEY_INTERVAL_MS = 5000;
/** A source that takes longer to say where its tip is does not count as answering. */
const ANSWER_WITHIN_MS = 5000;
/** How long a source may have less of the chain than another one: blocks do not reach all nodes at once. */
const LAG_MS = 60_000;
/** How long a source must have been good until it is gone back to. */
const PROVEN_AFTER_MS = 60_000;
/** How long another source is preferred after a failure. */
const DISTRUST_MS = 30_000;

const LESS_WORK = 'is on a fork with less work';

export type SourcePoolOptions = {
  currency: Currency;
  network: Network;
  /** The operator's own nodes, and what stands in for them. Together at least one. */
  nodes: readonly ChainSource[];
  standIns?: readonly ChainSource[];
  clock: Clock;
  logger: Logger;
};

/** The sources of one chain, of which one is read from at a time. */
export type SourcePool = {
  size: number;
  /**
   * Runs work with the source to read from now: what belongs together is read from one. Where the source fails it, the
   * error is passed on, and another source is preferred for a while. Rejects with ChainSourceError, which says what is
   * wrong with each, when none can be read. Changes of source are logged.
   */
  use<T>(work: (source: ChainSource) => Promise<T>): Promise<T>;
  /** All that answer on the right network, as of a moment ago. */
  listUsable(): Promise<ChainSource[]>;
  /** News of the source that is read from, until the returned function is called. */
  listen(listener: SourceListener): () => void;
  close(): Promise<void>;
};

/** Holds the sources of one chain. Asks nothing before the first `use`. */
export function createSourcePool(options: SourcePoolOptions): SourcePool {
  const { nodes, standIns = [] } = options;
  const members = [
    ...nodes.map((source) => newMember(source, 0)),
    ...standIns.map((source) => newMember(source, 1)),
  ];
  return new Pool(options, members);
}

type Member = {
  source: ChainSource;
  rank: number;
  isOnNetwork: boolean;
  fault: string | null;
  tip: SourceTip | null;
  outdoneSinceMs: number | null;
  goodSinceMs: number | null;
  distrustedUntilMs: number;
};

function newMember(source: ChainSource, rank: number): Member {
  return {
    source,
    rank,
    isOnNetwork: false,
    fault: 'was not asked yet',
    tip: null,
    outdoneSinceMs: null,
    goodSinceMs: null,
    distrustedUntilMs: 0,
  };
}

class Pool implements SourcePool {
  readonly size: number;
  readonly #options: SourcePoolOptions;
  readonly #members: readonly Member[];
  #current: number | null = null;
  #surveyedAtMs: number | null = null;
  #survey: Promise<void> | null = null;

  constructor(options: SourcePoolOptions, members: readonly Member[]) {
    this.#options = options;
    this.#members = members;
    this.size = members.length;
  }

  async use<T>(work: (source: ChainSource) => Promise<T>): Promise<T> {
    const member = await this.#pick();
    try {
      return await work(member.source);
    } catch (error) {
      if (error instanceof ChainSourceError) this.#distrust(member);
      throw error;
    }
  }

  async #pick(): Promise<Member> {
    await this.#refresh();
    const chosen = chooseSource(
      this.#members.map((member) => this.#standingOf(member)),
      this.#current,
    );
    const member = chosen === null ? undefined : this.#members[chosen];
    if (!member) {
      throw new ChainSourceError(`no source of ${this.#options.currency} can be read: ${this.#faults()}`);
    }
    if (chosen !== this.#current) await this.#changeTo(member);
    this.#current = chosen;
    return member;
  }

  #distrust(member: Member): void {
    member.distrustedUntilMs = this.#nowMs() + DISTRUST_MS;
    member.goodSinceMs = null;
    // The node behind the address may have been changed meanwhile: nothing is taken for granted.
    member.isOnNetwork = false;
    this.#surveyedAtMs = null;
  }

  async listUsable(): Promise<ChainSource[]> {
    await this.#refresh();
    return this.#members.filter(({ fault }) => fault === null).map(({ source }) => source);
  }

  listen(listener: SourceListener): () => void {
    const isCurrent = (member: Member): boolean => this.#members[this.#current ?? -1] === member;
    const ends = this.#members.map((member) =>
      member.source.listen?.({
        onTransaction: (raw) => isCurrent(member) && listener.onTransaction(raw),
        onChange: () => isCurrent(member) && listener.onChange(),
        onFault: listener.onFault,
      }),
    );
    return () => ends.forEach((end) => end?.());
  }

  async close(): Promise<void> {
    await Promise.all(this.#members.map(({ source }) => source.close()));
  }

  /** One survey at a time, and none more often than every few seconds; one that is alone is not compared. */
  async #refresh(): Promise<void> {
    const isAlone = this.#members.length === 1;
    const ageMs = this.#surveyedAtMs === null ? Infinity : this.#nowMs() - this.#surveyedAtMs;
    const isDue = isAlone ? ageMs === Infinity : ageMs > SURVEY_INTERVAL_MS;
    if (isDue) this.#survey ??= this.#lookAtAll().finally(() => (this.#survey = null));
    await this.#survey;
  }

  async #lookAtAll(): Promise<void> {
    await Promise.all(this.#members.map((member) => this.#lookAt(member)));
    const tips = this.#members.flatMap(({ fault, tip }) => (fault === null && tip ? [tip] : []));
    const nowMs = this.#nowMs();
    for (const member of this.#members) noteExtent(member, tips, nowMs);
    // Where nothing can be read the next call asks again at once: whoever calls pauses longer and longer.
    this.#surveyedAtMs = tips.length === 0 ? null : nowMs;
  }

  async #lookAt(member: Member): Promise<void> {
    try {
      member.tip = await within(ANSWER_WITHIN_MS, () => this.#ask(member));
      member.fault =
        member.tip.isInitialDownload && member.tip.chain !== 'regtest' ? 'is still downloading' : null;
    } catch (error) {
      member.fault = error instanceof Error ? error.message : String(error);
      member.isOnNetwork = false;
      member.goodSinceMs = null;
    }
  }

  /** The first block tells networks apart, and bitcoin from litecoin, whose nodes both call theirs "main". */
  async #ask({ source, isOnNetwork }: Member): Promise<SourceTip> {
    const { currency, network } = this.#options;
    if (!isOnNetwork) {
      const found = networkOfGenesis(currency, await source.getHashAt(0));
      if (found !== network) {
        throw new ChainSourceError(
          `${source.name}: is on ${found ?? 'another chain'}, not on ${currency} ${network}`,
        );
      }
    }
    return source.getTip();
  }

  #standingOf(member: Member): SourceStanding {
    const nowMs = this.#nowMs();
    const { rank, fault, outdoneSinceMs, goodSinceMs, distrustedUntilMs } = member;
    return {
      rank,
      fault,
      isLagging: outdoneSinceMs !== null && nowMs - outdoneSinceMs > LAG_MS,
      isDistrusted: distrustedUntilMs > nowMs,
      isProven: goodSinceMs !== null && nowMs - goodSinceMs > PROVEN_AFTER_MS,
    };
  }

  async #changeTo(member: Member): Promise<void> {
    const { logger, currency } = this.#options;
    const previous = this.#members[this.#current ?? -1];
    if (!previous) return logger.info({ currency, source: member.source.name }, 'chain is read from here');
    const reason = await this.#reasonToLeave(previous, member);
    logger.warn(
      { currency, from: previous.source.name, to: member.source.name, reason },
      'another source is read from now on',
    );
  }

  async #reasonToLeave(previous: Member, next: Member): Promise<string> {
    if (previous.fault !== null) return previous.fault;
    const { isLagging, isDistrusted } = this.#standingOf(previous);
    if (!isLagging) return isDistrusted ? 'reading from it failed' : 'a preferred source is good again';
    const { tip } = previous;
    if (!tip || !next.tip) return 'is behind';
    if (next.tip.height < tip.height) return LESS_WORK;
    try {
      const theirs = await next.source.getHashAt(tip.height);
      return theirs === tip.hash ? 'is behind' : LESS_WORK;
    } catch (err) {
      this.#options.logger.warn({ err, source: next.source.name }, 'a source does not say what it has there');
      return 'is behind';
    }
  }

  #faults(): string {
    return this.#members.map(({ source, fault }) => fault ?? `${source.name}: failed lately`).join('; ');
  }

  #nowMs(): number {
    return this.#options.clock.nowMs();
  }
}

function noteExtent(member: Member, tips: readonly SourceTip[], nowMs: number): void {
  if (member.fault !== null || !member.tip) return;
  member.isOnNetwork = true;
  member.outdoneSinceMs = isOutdone(member.tip, tips) ? (member.outdoneSinceMs ?? nowMs) : null;
  member.goodSinceMs = member.outdoneSinceMs === null ? (member.goodSinceMs ?? nowMs) : null;
}

async function within<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const ending = new AbortController();
  const overdue = pause(ms, ending.signal).then(() => {
    throw new ChainSourceError(`does not answer within ${ms / 1000} s`);
  });
  try {
    return await Promise.race([work(), overdue]);
  } finally {
    ending.abort();
  }
}
