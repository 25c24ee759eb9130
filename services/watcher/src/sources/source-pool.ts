import { headerRulesOf, networkOfGenesis, type BlockPlace, type Network } from '@paywatch/domain/chain';
import type { Currency } from '@paywatch/domain/values';
import type { Logger } from '@paywatch/runtime/observability';
import { withTimeout, type Clock } from '@paywatch/runtime/process';
import {
  ChainSourceError,
  SourceLieError,
  type ChainSource,
  type SourceListener,
  type SourceTip,
} from './chain-source.ts';
import { checkedSource } from './checked-source.ts';
import { chooseSource, hasLessWork, type SourceStanding } from './choose-source.ts';
import { measureSkewMs } from './clock-skew.ts';
import { HeaderChain, UnrelatedChainError, type ValidatedHeader } from './header-chain.ts';
import { findTwins, type Identified } from './twins.ts';

/** How often all sources of a chain are asked where they are, where there are several. */
const SURVEY_INTERVAL_MS = 5000;
/** A source that takes longer to say where its tip is does not answer. */
const ANSWER_WITHIN_MS = 5000;
/** After this the other sources are not kept waiting for headers; reading them goes on. */
const HEADERS_WITHIN_MS = 5000;
/** How long a source may have less work than another one of its rank: blocks do not reach all nodes at once. */
const LAG_MS = 60_000;
/** How long a source may have less work than any other one until it may be cut off from its network. */
const CUT_OFF_MS = 600_000;
/** How long another source of its rank is preferred after a failure. */
const DISTRUST_MS = 30_000;
/** How long a source that proved itself wrong is left alone. */
const LIE_MS = 3_600_000;

const LESS_WORK = 'is on a fork with less work';

export type SourcePoolOptions = {
  currency: Currency;
  network: Network;
  /** The operator's own nodes, and what stands in for them. Together at least one. */
  nodes: readonly ChainSource[];
  standIns?: readonly ChainSource[];
  /** The blocks that this deployment follows already: validation starts from them. Default: none are known. */
  loadFollowed?: () => Promise<readonly BlockPlace[]>;
  clock: Clock;
  logger: Logger;
};

/** How one source stands, for metrics and the operator. */
export type SourceState = {
  /** Host and port. */
  name: string;
  kind: 'node' | 'stand-in';
  isRead: boolean;
  /** Why nothing is read from it; null where it can be read. */
  fault: string | null;
  /** What it was proven wrong by within the last hour; null for nothing. */
  lie: string | null;
  /** For how long it has had less validated work than another source; 0 where it has the most. */
  outdoneMs: number;
  isCutOff: boolean;
  /** How far its clock is ahead of this process's; null where it was not measured. */
  skewMs: number | null;
  /** Another source that nothing tells it apart from; null for none. */
  twin: string | null;
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
  /** All that answer on the right network with a valid chain, as of a moment ago. */
  listUsable(): Promise<ChainSource[]>;
  /** To be called with what `listUsable` sources failed with: one that proved itself wrong is left alone for an hour. */
  report(error: unknown): void;
  /** How each source stood when it was last asked, in the operator's order. */
  states(): SourceState[];
  /** Measures the clocks of all sources that can be read, and warns once of any two that nothing tells apart. */
  inspect(): Promise<void>;
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
  /** The same, with validated headers; null until its network is known. */
  checked: ChainSource | null;
  /** Its first block was compared since it last failed. */
  isOnNetwork: boolean;
  rank: number;
  answers: boolean;
  fault: string | null;
  tip: SourceTip | null;
  header: ValidatedHeader | null;
  /** Headers that are still read and validated. */
  validation: Promise<ValidatedHeader> | null;
  /** Since when another one of its rank, or any other one, has had more work. */
  laggingSinceMs: number | null;
  outdoneSinceMs: number | null;
  distrustedUntilMs: number;
  lie: { proof: string; untilMs: number } | null;
  skewMs: number | null;
  twin: string | null;
  isTwinTold: boolean;
};

function newMember(source: ChainSource, rank: number): Member {
  return {
    source,
    checked: null,
    isOnNetwork: false,
    rank,
    answers: false,
    fault: 'was not asked yet',
    tip: null,
    header: null,
    validation: null,
    laggingSinceMs: null,
    outdoneSinceMs: null,
    distrustedUntilMs: 0,
    lie: null,
    skewMs: null,
    twin: null,
    isTwinTold: false,
  };
}

class Pool implements SourcePool {
  readonly size: number;
  readonly #options: SourcePoolOptions;
  readonly #members: readonly Member[];
  #headers: HeaderChain | null = null;
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
      return await work(checkedOf(member));
    } catch (error) {
      if (error instanceof SourceLieError) this.report(error);
      else if (error instanceof ChainSourceError) this.#distrust(member);
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
    // The node behind the address may have been changed meanwhile: nothing is taken for granted.
    member.isOnNetwork = false;
    this.#surveyedAtMs = null;
  }

  report(error: unknown): void {
    if (!(error instanceof SourceLieError)) return;
    const member = this.#members.find(({ source }) => source.name === error.source);
    if (!member || this.#isLeftAlone(member)) return;
    const { logger, currency } = this.#options;
    member.lie = { proof: error.proof, untilMs: this.#nowMs() + LIE_MS };
    setFault(member, `proved itself wrong and is left alone for an hour: ${error.message}`);
    this.#surveyedAtMs = null;
    logger.error({ currency, source: error.source, proof: error.proof }, 'a source proved itself wrong');
  }

  async listUsable(): Promise<ChainSource[]> {
    await this.#refresh();
    return this.#members.flatMap(({ fault, checked }) => (fault === null && checked ? [checked] : []));
  }

  states(): SourceState[] {
    const nowMs = this.#nowMs();
    return this.#members.map((member, index) => ({
      name: member.source.name,
      kind: member.rank === 0 ? 'node' : 'stand-in',
      isRead: index === this.#current && member.fault === null,
      fault: member.fault,
      lie: this.#isLeftAlone(member) ? (member.lie?.proof ?? null) : null,
      outdoneMs: member.outdoneSinceMs === null ? 0 : nowMs - member.outdoneSinceMs,
      isCutOff: this.#isCutOff(member),
      skewMs: member.skewMs,
      twin: member.twin,
    }));
  }

  async inspect(): Promise<void> {
    await this.#refresh();
    const usable = this.#members.filter(({ fault }) => fault === null);
    const identified = await Promise.all(usable.map((member) => this.#inspectOne(member)));
    const twins = findTwins(identified);
    for (const member of usable) this.#noteTwin(member, twins.get(member.source.name) ?? null);
  }

  /** What fails here fails the next read, too, which says so. */
  async #inspectOne(member: Member): Promise<Identified> {
    const { source, rank } = member;
    member.skewMs = await measureSkewMs(
      this.#options.clock,
      async () => (await source.readClockMs?.()) ?? null,
    ).catch(() => null);
    const identity = (await source.identify?.().catch(() => null)) ?? null;
    return { name: source.name, kind: String(rank), identity };
  }

  #noteTwin(member: Member, twin: string | null): void {
    member.twin = twin;
    if (twin === null || member.isTwinTold) return;
    member.isTwinTold = true;
    const { logger, currency } = this.#options;
    logger.warn(
      { currency, source: member.source.name, other: twin },
      'nothing tells two sources apart: if they are one server behind two names, their agreement means nothing',
    );
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
    // Where nothing is known, the first source decides from where headers are validated: the operator's own nodes come first.
    for (const member of this.#members) {
      if (this.#headers?.isEmpty === false) break;
      await this.#lookAt(member);
    }
    await Promise.all(this.#members.map((member) => this.#lookAt(member)));
    this.#compare();
    // Where nothing can be read the next call asks again at once: whoever calls pauses longer and longer.
    this.#surveyedAtMs = this.#members.some(({ fault }) => fault === null) ? this.#nowMs() : null;
  }

  async #lookAt(member: Member): Promise<void> {
    if (this.#isLeftAlone(member)) return;
    try {
      const tip = await within(ANSWER_WITHIN_MS, () => this.#ask(member));
      member.answers = !isDownloading(tip);
      member.tip = tip;
      if (!member.answers) return setFault(member, 'is still downloading', false);
      member.header = await this.#validate(member, tip);
      if (!this.#isLeftAlone(member)) member.fault = null;
    } catch (error) {
      const isUnrelated = error instanceof UnrelatedChainError || error instanceof StillValidating;
      setFault(member, error instanceof Error ? error.message : String(error), isUnrelated);
      this.report(error);
    }
  }

  /** The first block tells networks apart, and bitcoin from litecoin, whose nodes both call theirs "main". */
  async #ask(member: Member): Promise<SourceTip> {
    const { source } = member;
    if (member.isOnNetwork) return source.getTip();
    const headers = this.#headersOf(source, await source.getHashAt(0));
    const tip = await source.getTip();
    await assertKnownChain(source, headers, tip);
    member.checked ??= checkedSource(source, headers, () => this.#isCutOff(member));
    member.isOnNetwork = true;
    return tip;
  }

  #headersOf({ name }: ChainSource, genesisHash: string): HeaderChain {
    const { currency, network, loadFollowed = () => Promise.resolve([]) } = this.#options;
    const found = networkOfGenesis(currency, genesisHash);
    const rules = headerRulesOf(currency, genesisHash);
    if (found !== network || !rules)
      throw new ChainSourceError(`${name}: is on ${found ?? 'another chain'}, not on ${currency} ${network}`);
    this.#headers ??= new HeaderChain(rules, loadFollowed);
    if (this.#headers.rules.genesisHash === genesisHash) return this.#headers;
    throw new ChainSourceError(`${name}: is on another ${network} than the other sources`);
  }

  /** Long chains of headers are read on while others are asked. */
  async #validate(member: Member, tip: SourceTip): Promise<ValidatedHeader> {
    const headers = this.#headers;
    if (!headers) throw new Error('a source is asked for its network first');
    const known = headers.find(tip.hash);
    if (known) return known;
    member.validation ??= headers.accept(member.source, tip).finally(() => (member.validation = null));
    const { validation } = member;
    if (this.size === 1) return validation;
    // Its outcome may come when nobody waits for it any more; the next survey asks again.
    validation.catch(() => {});
    const unfinished = new StillValidating(`${member.source.name}: its headers are still being read`);
    return within(HEADERS_WITHIN_MS, () => validation, unfinished);
  }

  #compare(): void {
    const nowMs = this.#nowMs();
    const usable = this.#members.filter(({ fault }) => fault === null);
    for (const member of usable) {
      const worksOf = (members: readonly Member[]) =>
        members.flatMap(({ header }) => (header ? [header.work] : []));
      const own = member.header?.work ?? 0n;
      const isLagging = hasLessWork(own, worksOf(usable.filter(({ rank }) => rank === member.rank)));
      const isOutdone = hasLessWork(own, worksOf(usable));
      member.laggingSinceMs = isLagging ? (member.laggingSinceMs ?? nowMs) : null;
      member.outdoneSinceMs = isOutdone ? (member.outdoneSinceMs ?? nowMs) : null;
    }
  }

  #standingOf(member: Member): SourceStanding {
    const nowMs = this.#nowMs();
    const { rank, answers, fault, laggingSinceMs, distrustedUntilMs } = member;
    return {
      rank,
      answers,
      fault,
      isLagging: laggingSinceMs !== null && nowMs - laggingSinceMs > LAG_MS,
      isDistrusted: distrustedUntilMs > nowMs,
    };
  }

  #isCutOff({ outdoneSinceMs }: Member): boolean {
    return outdoneSinceMs !== null && this.#nowMs() - outdoneSinceMs >= CUT_OFF_MS;
  }

  #isLeftAlone({ lie }: Member): boolean {
    return lie !== null && lie.untilMs > this.#nowMs();
  }

  async #changeTo(member: Member): Promise<void> {
    const { logger, currency } = this.#options;
    const previous = this.#members[this.#current ?? -1];
    if (!previous) return logger.info({ currency, source: member.source.name }, 'chain is read from here');
    logger.warn(
      {
        currency,
        from: previous.source.name,
        to: member.source.name,
        reason: this.#reasonToLeave(previous, member),
      },
      'another source is read from now on',
    );
  }

  #reasonToLeave(previous: Member, next: Member): string {
    if (previous.fault !== null) return previous.fault;
    if (next.rank < previous.rank) return 'a preferred source answers again';
    const { isLagging, isDistrusted } = this.#standingOf(previous);
    if (!isLagging) return isDistrusted ? 'reading from it failed' : 'another source is preferred';
    const isBehind =
      previous.header && next.header && this.#headers?.isAncestor(previous.header.hash, next.header);
    return isBehind === true ? 'is behind' : LESS_WORK;
  }

  #faults(): string {
    return this.#members.map(({ source, fault }) => fault ?? `${source.name}: failed lately`).join('; ');
  }

  #nowMs(): number {
    return this.#options.clock.nowMs();
  }
}

/** What is read takes longer than others are kept waiting for it. */
class StillValidating extends ChainSourceError {}

function checkedOf({ source, checked }: Member): ChainSource {
  if (!checked) throw new ChainSourceError(`${source.name}: was not asked for its network yet`);
  return checked;
}

function setFault(member: Member, fault: string, answers = false): void {
  member.fault = fault;
  member.answers = answers;
  if (!answers) member.isOnNetwork = false;
  member.header = null;
  member.laggingSinceMs = null;
  member.outdoneSinceMs = null;
}

/** Regtest nodes call themselves downloading until somebody mines. */
function isDownloading({ isInitialDownload, chain }: SourceTip): boolean {
  return isInitialDownload && chain !== 'regtest';
}

/** Throws ChainSourceError for a chain that cannot be the network's, by the facts that came with this release. */
async function assertKnownChain(source: ChainSource, { rules }: HeaderChain, tip: SourceTip): Promise<void> {
  const { known } = rules;
  if (!known) return;
  const { height, hash } = known.checkpoint;
  if (tip.work !== null && tip.work < known.minimumWork)
    throw new ChainSourceError(
      `${source.name}: its chain has less work than the network had when this was released`,
    );
  if (tip.height < height)
    throw new ChainSourceError(`${source.name}: is at block ${tip.height}, below ${height}`);
  if ((await source.getHashAt(height)) === hash) return;
  throw new ChainSourceError(`${source.name}: has another block ${height} than the network`);
}

async function within<T>(
  ms: number,
  work: () => Promise<T>,
  overdueError = new ChainSourceError(`does not answer within ${ms / 1000} s`),
): Promise<T> {
  return withTimeout(work(), ms, () => {
    throw overdueError;
  });
}
