import type { ApiKeyView, MeView } from '@paywatch/domain/contract';
import { START_STEPS, type StartStep } from './route.ts';

/** Which steps of the guided setup are done. */
export type Setup = Readonly<Record<StartStep, boolean>>;

/** Derives the completed steps from the account's data. Pure. */
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

/** The number of completed steps. */
export function countDone(setup: Setup): number {
  return START_STEPS.filter((step) => setup[step]).length;
}

/** The first step that is not done; null if all are. */
export function nextStep(setup: Setup): StartStep | null {
  return START_STEPS.find((step) => !setup[step]) ?? null;
}
