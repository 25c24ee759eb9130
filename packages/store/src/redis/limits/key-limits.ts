import type { Keys } from '../keys.ts';
import type { RateLimiter, RateLimitState } from './rate-limits.ts';

/*
 * A request with an API key counts against the limit of the key and against that of its project, so that more keys give no larger
 * budget. What the key's own limit refuses does not count for the project: one runaway key must not block the others.
 */

/** The limits of an API key, and of everything that a project requests. */
export type KeyLimiters = { readonly key: RateLimiter; readonly project: RateLimiter };

/** An API key: its project and the SHA-256 of its secret (hex). */
export type KeyName = { projectId: bigint; tokenHash: string };

/** The state of the limit that decides on a request, and how to take its points back. */
type CountedKey = { limit: RateLimitState; giveBack: () => Promise<void> };

/** What check-credential.lua counted: points and milliseconds left of the key's window, then of the project's. */
export type CountedPoints = readonly number[];

/** The name of a project in its limiter. The hash tag keeps all counters of a project in one slot. */
export function projectCounter(projectId: bigint): string {
  return `{project:${projectId}}`;
}

function keyCounter({ projectId, tokenHash }: KeyName): string {
  return `${projectCounter(projectId)}:${tokenHash}`;
}

/** The Redis keys of both counters. */
export function counterKeys(keys: Keys, { key, project }: KeyLimiters, name: KeyName): string[] {
  return [
    `${keys.rateLimit(key.rule.name)}:${keyCounter(name)}`,
    `${keys.rateLimit(project.rule.name)}:${projectCounter(name.projectId)}`,
  ];
}

/** The states after the script has counted. */
export function statesAfter(limiters: KeyLimiters, name: KeyName, points: CountedPoints): CountedKey {
  const [keyPoints = 0, keyResetMs = 0, projectPoints = -1, projectResetMs = 0] = points;
  const { key, project } = limiters;
  const ofKey = key.stateAfter(keyCounter(name), keyPoints, keyResetMs);
  const isCounted = projectPoints >= 0;
  return decided(
    limiters,
    name,
    ofKey,
    isCounted ? project.stateAfter(projectCounter(name.projectId), projectPoints, projectResetMs) : null,
  );
}

/** Counts a request of which the script has counted nothing. */
export async function countKey(limiters: KeyLimiters, name: KeyName): Promise<CountedKey> {
  const ofKey = await limiters.key.count(keyCounter(name));
  const ofProject = ofKey.isAllowed ? await limiters.project.count(projectCounter(name.projectId)) : null;
  return decided(limiters, name, ofKey, ofProject);
}

function decided(
  { key, project }: KeyLimiters,
  name: KeyName,
  ofKey: RateLimitState,
  ofProject: RateLimitState | null,
): CountedKey {
  return {
    limit: ofProject === null || ofProject.isAllowed ? ofKey : ofProject,
    giveBack: async () => {
      await key.giveBack(keyCounter(name), ofKey);
      if (ofProject !== null) await project.giveBack(projectCounter(name.projectId), ofProject);
    },
  };
}
