import type { HeldDecision } from '@paywatch/domain/contract';
import { createSeededRandom, type SeededRandom } from '@paywatch/dev/testing';
import { ask } from '../shared/ask.ts';
import { isCalm } from '../shared/process-faults.ts';
import type { ModeratorClient } from './audience.ts';
import type { Truth } from './truth.ts';

/** Most donations are approved, so that there is something to lose. */
const DECISIONS: readonly HeldDecision[] = ['approved', 'approved', 'text_blocked', 'dismissed'];
const LONGEST_THOUGHT_MS = 60;
/** A frozen replica does not respond; the request is repeated at another one. */
const TIMEOUT_MS = 2000;
const RETRY_MS = 100;

export type ModeratorOptions = {
  moderators: readonly ModeratorClient[];
  truth: Truth;
  /** The port of the balancer. */
  port: number;
  seed: number;
  signal: AbortSignal;
};

/**
 * Every control page decides about the donations that it shows, in a random order and at random, until the signal aborts. Several pages of
 * a project decide without knowing of each other.
 */
export async function moderate({ moderators, seed, ...options }: ModeratorOptions): Promise<void> {
  await Promise.all(
    moderators.map((moderator, index) =>
      decideAll(moderator, { ...options, random: createSeededRandom(seed + 2000 + index) }),
    ),
  );
}

type Desk = Omit<ModeratorOptions, 'moderators' | 'seed'> & { random: SeededRandom };

async function decideAll({ project, view }: ModeratorClient, desk: Desk): Promise<void> {
  const { random, signal, truth } = desk;
  const decided = new Set<string>();
  while (await isCalm(random.integer(LONGEST_THOUGHT_MS), signal)) {
    const waiting = view()?.held.filter(({ id }) => !decided.has(id)) ?? [];
    if (waiting.length === 0) continue;
    const { id, amount } = random.pick(waiting);
    const decision = random.pick(DECISIONS);
    decided.add(id);
    truth.noteDecisionSent(amount, decision);
    const answer = await decide(project.controlToken, { held_id: id, decision }, desk);
    if (answer !== null) truth.noteDecisionAnswered(amount, answer);
  }
}

type Body = { held_id: string; decision: HeldDecision };

/** Sends a decision until it is answered, and returns the decision that stands, or the status of a refusal. Null if the signal aborted. */
async function decide(token: string, body: Body, { port, signal }: Desk): Promise<string | null> {
  const path = `/v1/public/control/${token}/decisions`;
  for (;;) {
    const answer = await ask({ port, method: 'POST', path, body, timeoutMs: TIMEOUT_MS });
    const isAnswered = !answer.isLost && answer.status < 500;
    if (isAnswered)
      return answer.status === 200 ? String(answer.body['decision']) : `status ${answer.status}`;
    if (!(await isCalm(RETRY_MS, signal))) return null;
  }
}
