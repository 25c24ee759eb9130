import type { ApiKeyView, MeView } from '@paywatch/domain/contract';
import { START_STEPS, type StartStep } from './route.ts';

/** What of the guided start is done. */
export type Setup = Readonly<Record<StartStep, boolean>>;

/** Finds out what is set up, from what the API says. Pure. */
export function setupOf(
  { project }: MeView,
  keys: readonly Pick<ApiKeyView, 'revoked_at'>[],
  hasInvoice: boolean,
): Setup {
  return {
    key: keys.some(({ revoked_at: revokedAt }) => revokedAt === null),
    wallet: project.wallets.length > 0,
    verify: project.wallets.some(({ verified }) => verified),
    webhook: project.webhook !== null,
    invoice: hasInvoice,
  };
}

/** How many of the five steps are done. */
export function countDone(setup: Setup): number {
  return START_STEPS.filter((step) => setup[step]).length;
}

/** The first step that is still to be done; null where none is. */
export function nextStep(setup: Setup): StartStep | null {
  return START_STEPS.find((step) => !setup[step]) ?? null;
}
