import { headerRulesOf, networkOfGenesis, type BlockPlace, type Network } from '@paywatch/domain/chain';
import type { Currency } from '@paywatch/domain/values';
import type { Logger } from '@paywatch/runtime/observability';
import { withTimeout, type Clock } from '@paywatch/runtime/process';
import {
  ChainSourceError,
  InvalidSourceDataError,
  type ChainSource,
  type SourceTip,
} from './chain-source.ts';
import { checkedSource } from './checked-source.ts';
import { hasLessWork } from './choose-source.ts';
import { HeaderChain, UnrelatedChainError, type ValidatedHeader } from './header-chain.ts';
import { isCutOff, isDownloading, isQuarantined, setFault, type SourceMember } from './source-member.ts';

/** How often all sources of a chain are surveyed, if there are several. */
const SURVEY_INTERVAL_MS = 5000;
/** A source that takes longer to report its tip counts as not responding. */
const ANSWER_WITHIN_MS = 5000;
/** After this, the survey goes on without the headers of this source; reading them continues. */
const HEADERS_WITHIN_MS = 5000;
/** How long a source that sent invalid data is ignored. */
const QUARANTINE_MS = 3_600_000;

export type SurveyOptions = {
  currency: Currency;
  network: Network;
  /** The blocks that this deployment already follows: validation starts from them. Default: none are known. */
  loadFollowed?: () => Promise<readonly BlockPlace[]>;
  clock: Clock;
  logger: Logger;
};

/** Asks the sources of one chain for their tips, validates their headers and compares their work. */
export class SourceSurvey {
  readonly #options: SurveyOptions;
  readonly #members: readonly SourceMember[];
  #headers: HeaderChain | null = null;
  #finishedAtMs: number | null = null;
  #running: Promise<void> | null = null;

  constructor(options: SurveyOptions, members: readonly SourceMember[]) {
    this.#options = options;
    this.#members = members;
  }

  /** Surveys all sources if the last survey is too old; a single source is surveyed once. One survey runs at a time. */
  async refresh(): Promise<void> {
    const isAlone = this.#members.length === 1;
    const ageMs = this.#finishedAtMs === null ? Infinity : this.#nowMs() - this.#finishedAtMs;
    const isDue = isAlone ? ageMs === Infinity : ageMs > SURVEY_INTERVAL_MS;
    if (isDue) this.#running ??= this.#surveyAll().finally(() => (this.#running = null));
    await this.#running;
  }

  /** Makes the next refresh survey all sources. */
  expire(): void {
    this.#finishedAtMs = null;
  }

  /** Quarantines a source for an hour if the error proves that it sent invalid data. */
  report(error: unknown): void {
    if (!(error instanceof InvalidSourceDataError)) return;
    const member = this.#members.find(({ source }) => source.name === error.source);
    if (!member || isQuarantined(member, this.#nowMs())) return;
    const { logger, currency } = this.#options;
    member.quarantine = { proof: error.proof, untilMs: this.#nowMs() + QUARANTINE_MS };
    setFault(member, `sent invalid data and is ignored for an hour: ${error.message}`);
    this.expire();
    logger.error({ currency, source: error.source, proof: error.proof }, 'source sent invalid chain data');
  }

  /** Whether one source's tip lies below another one's on the same chain. */
  isBehind({ header: own }: SourceMember, { header: other }: SourceMember): boolean {
    return own !== null && other !== null && this.#headers?.isAncestor(own.hash, other) === true;
  }

  async #surveyAll(): Promise<void> {
    // While no header is known, the first source decides where validation starts: the operator's own nodes come first.
    for (const member of this.#members) {
      if (this.#headers?.isEmpty === false) break;
      await this.#surveyOne(member);
    }
    await Promise.all(this.#members.map((member) => this.#surveyOne(member)));
    this.#compareWork();
    // If no source can be read, the next call surveys again at once; callers back off themselves.
    this.#finishedAtMs = this.#members.some(({ fault }) => fault === null) ? this.#nowMs() : null;
  }

  async #surveyOne(member: SourceMember): Promise<void> {
    if (isQuarantined(member, this.#nowMs())) return;
    try {
      const tip = await within(ANSWER_WITHIN_MS, () => this.#readTip(member));
      member.answers = !isDownloading(tip);
      if (!member.answers) return setFault(member, 'still downloading blocks', false);
      member.header = await this.#validate(member, tip);
      if (!isQuarantined(member, this.#nowMs())) member.fault = null;
    } catch (error) {
      const answers = error instanceof UnrelatedChainError || error instanceof StillValidatingError;
      setFault(member, error instanceof Error ? error.message : String(error), answers);
      this.report(error);
    }
  }

  /** The genesis block identifies the network and the currency: nodes of both currencies call their network "main". */
  async #readTip(member: SourceMember): Promise<SourceTip> {
    const { source } = member;
    if (member.isOnNetwork) return source.getTip();
    const headers = this.#headersOf(source, await source.getHashAt(0));
    const tip = await source.getTip();
    await assertKnownChain(source, headers, tip);
    member.checked ??= checkedSource(source, headers, () => isCutOff(member, this.#nowMs()));
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

  /** Long header chains are validated in the background while other sources are surveyed. */
  async #validate(member: SourceMember, tip: SourceTip): Promise<ValidatedHeader> {
    const headers = this.#headers;
    if (!headers) throw new Error(`${member.source.name}: headers were read before its network was checked`);
    const known = headers.find(tip.hash);
    if (known) return known;
    member.validation ??= headers.accept(member.source, tip).finally(() => (member.validation = null));
    const { validation } = member;
    if (this.#members.length === 1) return validation;
    const unfinished = new StillValidatingError(`${member.source.name}: still validating its headers`);
    return within(HEADERS_WITHIN_MS, () => validation, unfinished);
  }

  #compareWork(): void {
    const nowMs = this.#nowMs();
    const usable = this.#members.filter(({ fault }) => fault === null);
    for (const member of usable) {
      const own = member.header?.work ?? 0n;
      const isLagging = hasLessWork(own, worksOf(usable.filter(({ rank }) => rank === member.rank)));
      member.laggingSinceMs = isLagging ? (member.laggingSinceMs ?? nowMs) : null;
      member.lessWorkSinceMs = hasLessWork(own, worksOf(usable)) ? (member.lessWorkSinceMs ?? nowMs) : null;
    }
  }

  #nowMs(): number {
    return this.#options.clock.nowMs();
  }
}

function worksOf(members: readonly SourceMember[]): bigint[] {
  return members.flatMap(({ header }) => (header ? [header.work] : []));
}

/** The survey stopped waiting for the headers of a source; their validation goes on. */
class StillValidatingError extends ChainSourceError {}

/** Throws ChainSourceError if the chain contradicts the checkpoint or minimum work that this release knows. */
async function assertKnownChain(source: ChainSource, { rules }: HeaderChain, tip: SourceTip): Promise<void> {
  const { known } = rules;
  if (!known) return;
  const { height, hash } = known.checkpoint;
  if (tip.work !== null && tip.work < known.minimumWork)
    throw new ChainSourceError(
      `${source.name}: its chain has less work than the network had at the time of this release`,
    );
  if (tip.height < height)
    throw new ChainSourceError(`${source.name}: is at block ${tip.height}, below ${height}`);
  if ((await source.getHashAt(height)) === hash) return;
  throw new ChainSourceError(`${source.name}: has another block ${height} than the network`);
}

async function within<T>(
  ms: number,
  work: () => Promise<T>,
  error = new ChainSourceError(`does not answer within ${ms / 1000} s`),
): Promise<T> {
  return withTimeout(work(), ms, () => {
    throw error;
  });
}
