import {
  InvalidSourceDataError,
  ChainSourceError,
  type ChainSource,
  type SourceListener,
} from './chain-source.ts';
import { chooseSource } from './choose-source.ts';
import { measureSkewMs } from './clock-skew.ts';
import { findDuplicates, type Identified } from './duplicate-sources.ts';
import {
  candidateOf,
  checkedOf,
  isCutOff,
  isQuarantined,
  newMember,
  type SourceMember,
} from './source-member.ts';
import { SourceSurvey, type SurveyOptions } from './survey-sources.ts';

/** How long other sources of its rank are preferred after a source failed. */
const COOLDOWN_MS = 30_000;

const LESS_WORK = 'is on a fork with less work';

export type SourcePoolOptions = SurveyOptions & {
  /** The operator's own nodes and their stand-ins; at least one source in total. */
  nodes: readonly ChainSource[];
  standIns?: readonly ChainSource[];
};

/** The state of one source, for metrics and the operator. */
export type SourceState = {
  /** Host and port. */
  name: string;
  kind: 'node' | 'stand-in';
  isRead: boolean;
  /** Why the source cannot be read; null if it can. */
  fault: string | null;
  /** The proof that it sent invalid data within the last hour; null if it did not. */
  invalidData: string | null;
  /** For how long it has had less validated work than another source; 0 if it has the most. */
  lessWorkMs: number;
  isCutOff: boolean;
  /** How far its clock is ahead of this process's clock; null if it was not measured. */
  skewMs: number | null;
  /** Another source that may be the same server; null if there is none. */
  duplicateOf: string | null;
};

/** The sources of one chain. One of them is read at a time. */
export type SourcePool = {
  size: number;
  /**
   * Runs `work` with the current source, so that data which belongs together comes from one source. If the source fails, the
   * error is passed on and another source is preferred for a while. Rejects with a ChainSourceError that names the fault of
   * each source when none can be read. Logs every change of source.
   */
  use<T>(work: (source: ChainSource) => Promise<T>): Promise<T>;
  /** All sources that answered the last survey on the right network with a valid chain. */
  listUsable(): Promise<ChainSource[]>;
  /** Call it with errors of `listUsable` sources: a source that sent invalid data is ignored for an hour. */
  report(error: unknown): void;
  /** The state of each source at the last survey, in the operator's order. */
  states(): SourceState[];
  /** Measures the clocks of all usable sources, and warns once about each pair that may be one server. */
  inspect(): Promise<void>;
  /** Forwards notifications of the current source until the returned function is called. */
  listen(listener: SourceListener): () => void;
  close(): Promise<void>;
};

/** Holds the sources of one chain. Sends no request before the first `use`. */
export function createSourcePool(options: SourcePoolOptions): SourcePool {
  const { nodes, standIns = [] } = options;
  return new Pool(options, [
    ...nodes.map((source) => newMember(source, 0)),
    ...standIns.map((source) => newMember(source, 1)),
  ]);
}

class Pool implements SourcePool {
  readonly size: number;
  readonly #options: SourcePoolOptions;
  readonly #members: readonly SourceMember[];
  readonly #survey: SourceSurvey;
  #current: number | null = null;

  constructor(options: SourcePoolOptions, members: readonly SourceMember[]) {
    this.#options = options;
    this.#members = members;
    this.#survey = new SourceSurvey(options, members);
    this.size = members.length;
  }

  async use<T>(work: (source: ChainSource) => Promise<T>): Promise<T> {
    const member = await this.#pick();
    try {
      return await work(checkedOf(member));
    } catch (error) {
      if (error instanceof InvalidSourceDataError) this.report(error);
      else if (error instanceof ChainSourceError) this.#coolDown(member);
      throw error;
    }
  }

  async #pick(): Promise<SourceMember> {
    await this.#survey.refresh();
    const nowMs = this.#nowMs();
    const chosen = chooseSource(
      this.#members.map((member) => candidateOf(member, nowMs)),
      this.#current,
    );
    const member = chosen === null ? undefined : this.#members[chosen];
    if (!member) {
      throw new ChainSourceError(`no source of ${this.#options.currency} can be read: ${this.#faults()}`);
    }
    if (chosen !== this.#current) this.#logChange(member);
    this.#current = chosen;
    return member;
  }

  #coolDown(member: SourceMember): void {
    member.coolingDownUntilMs = this.#nowMs() + COOLDOWN_MS;
    // Another node may listen at this address now, so its network is checked again.
    member.isOnNetwork = false;
    this.#survey.expire();
  }

  report(error: unknown): void {
    this.#survey.report(error);
  }

  async listUsable(): Promise<ChainSource[]> {
    await this.#survey.refresh();
    return this.#members.flatMap(({ fault, checked }) => (fault === null && checked ? [checked] : []));
  }

  states(): SourceState[] {
    const nowMs = this.#nowMs();
    return this.#members.map((member, index) => ({
      name: member.source.name,
      kind: member.rank === 0 ? 'node' : 'stand-in',
      isRead: index === this.#current && member.fault === null,
      fault: member.fault,
      invalidData: isQuarantined(member, nowMs) ? (member.quarantine?.proof ?? null) : null,
      lessWorkMs: member.lessWorkSinceMs === null ? 0 : nowMs - member.lessWorkSinceMs,
      isCutOff: isCutOff(member, nowMs),
      skewMs: member.skewMs,
      duplicateOf: member.duplicateOf,
    }));
  }

  async inspect(): Promise<void> {
    await this.#survey.refresh();
    const usable = this.#members.filter(({ fault }) => fault === null);
    const identified = await Promise.all(usable.map((member) => this.#inspectOne(member)));
    const duplicates = findDuplicates(identified);
    for (const member of usable) this.#noteDuplicate(member, duplicates.get(member.source.name) ?? null);
  }

  /** Errors are ignored here: the next read meets them again and reports them. */
  async #inspectOne(member: SourceMember): Promise<Identified> {
    const { source, rank } = member;
    member.skewMs = await measureSkewMs(
      this.#options.clock,
      async () => (await source.readClockMs?.()) ?? null,
    ).catch(() => null);
    const identity = (await source.identify?.().catch(() => null)) ?? null;
    return { name: source.name, kind: String(rank), identity };
  }

  #noteDuplicate(member: SourceMember, duplicateOf: string | null): void {
    member.duplicateOf = duplicateOf;
    if (duplicateOf === null || member.isDuplicateLogged) return;
    member.isDuplicateLogged = true;
    const { logger, currency } = this.#options;
    logger.warn(
      { currency, source: member.source.name, other: duplicateOf },
      'two sources may be the same server; their agreement would prove nothing',
    );
  }

  listen(listener: SourceListener): () => void {
    const isCurrent = (member: SourceMember): boolean => this.#members[this.#current ?? -1] === member;
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

  #logChange(next: SourceMember): void {
    const { logger, currency } = this.#options;
    const previous = this.#members[this.#current ?? -1];
    if (!previous) return logger.info({ currency, source: next.source.name }, 'reading chain from source');
    const reason = this.#reasonToLeave(previous, next);
    logger.warn(
      { currency, from: previous.source.name, to: next.source.name, reason },
      'switched to another chain source',
    );
  }

  #reasonToLeave(previous: SourceMember, next: SourceMember): string {
    if (previous.fault !== null) return previous.fault;
    if (next.rank < previous.rank) return 'a preferred source answers again';
    const { isLagging, isCoolingDown } = candidateOf(previous, this.#nowMs());
    if (!isLagging) return isCoolingDown ? 'a read failed' : 'another source is preferred';
    return this.#survey.isBehind(previous, next) ? 'is behind' : LESS_WORK;
  }

  #faults(): string {
    return this.#members.map(({ source, fault }) => fault ?? `${source.name}: failed recently`).join('; ');
  }

  #nowMs(): number {
    return this.#options.clock.nowMs();
  }
}
