import type { HeldDecision, HoldMode } from '@paywatch/domain/contract';
import type { CausedDonation, ExpectedPlace, OverlayChange } from './check-overlays.ts';
import type { Project } from './streams-stage.ts';

/** The moderation rule of a project, as the driver has set it. */
type Rule = { mode: HoldMode; isChanging: boolean; changes: number };

/**
 * What the driver has caused: donations with where they must go, decisions of moderators, and the last settings and orders of each overlay.
 * Nothing of it comes from Paywatch's tables.
 */
export class Truth {
  readonly donations = new Map<string, CausedDonation>();
  readonly overlays = new Map<string, OverlayChange>();
  readonly versions = new Map<string, number>();
  readonly #rules = new Map<string, Rule>();
  #amounts = 0;

  constructor(projects: readonly Project[], orders: readonly string[]) {
    for (const project of projects.map(nameOf)) {
      this.overlays.set(project, { settings: 0, paused: false, volume: 100 });
      this.#rules.set(project, { mode: 'none', isChanging: false, changes: 0 });
    }
    for (const publicId of orders) this.versions.set(publicId, 1);
  }

  /** An amount that no other donation has. */
  nextAmount(): bigint {
    this.#amounts += 1;
    return BigInt(this.#amounts);
  }

  /** Calls `commit`, and records the donations that it added, with the place that the rule demands. */
  async whileAdding(project: Project, commit: () => Promise<readonly AddedDonation[]>): Promise<void> {
    const rule = this.#ruleOf(project);
    const before = { ...rule };
    const added = await commit();
    const isCertain = !before.isChanging && !rule.isChanging && before.changes === rule.changes;
    for (const { amount, hasLink, position } of added) {
      const expected = isCertain ? placeOf(before.mode, hasLink) : 'either';
      this.donations.set(String(amount), { project: nameOf(project), position, expected, decision: null });
    }
  }

  /** Calls `commit`, which sets the rule of a project. */
  async whileChangingRule(project: Project, mode: HoldMode, commit: () => Promise<unknown>): Promise<void> {
    const rule = this.#ruleOf(project);
    rule.isChanging = true;
    await commit();
    Object.assign(rule, { mode, isChanging: false, changes: rule.changes + 1 });
  }

  /** Records that a moderator is about to send a decision. */
  noteDecisionSent(amount: string, decision: HeldDecision): void {
    const record = this.#decisionOf(amount);
    if (decision !== 'dismissed') record.showSentMs ??= performance.now();
  }

  /** Records the response to a decision. */
  noteDecisionAnswered(amount: string, answer: string): void {
    this.#decisionOf(amount).answers.add(answer);
  }

  /** Records a committed change of an overlay. */
  noteOverlay(project: Project, change: Partial<OverlayChange>): void {
    Object.assign(this.overlays.get(nameOf(project)) ?? {}, change);
  }

  #ruleOf(project: Project): Rule {
    const rule = this.#rules.get(nameOf(project));
    if (rule === undefined) throw new Error('every project has a rule');
    return rule;
  }

  readonly #decisions = new Map<string, { showSentMs: number | null; answers: Set<string> }>();

  #decisionOf(amount: string) {
    const record = this.#decisions.get(amount) ?? { showSentMs: null, answers: new Set<string>() };
    this.#decisions.set(amount, record);
    return record;
  }

  /** The donations with the decisions about them. A decision that was sent but never answered is none. */
  judged(): Map<string, CausedDonation> {
    return new Map(
      [...this.donations].map(([amount, donation]) => {
        const decision = this.#decisions.get(amount);
        return [amount, { ...donation, decision: decision?.answers.size ? decision : null }];
      }),
    );
  }
}

/** A donation that was committed: its position, null if it was held. */
export type AddedDonation = { amount: bigint; hasLink: boolean; position: bigint | null };

/** The name of a project in the records. */
export function nameOf({ projectId }: Project): string {
  return String(projectId);
}

/** The rule in the words of the documentation, without the product's code. Every donor has a name that was shown before. */
function placeOf(mode: HoldMode, hasLink: boolean): ExpectedPlace {
  if (mode === 'all') return 'held';
  return mode === 'links_and_words' && hasLink ? 'held' : 'shown';
}
