import { explainFailure } from '../terminal/failure.ts';

/** What one check found. `advice` says what to do about a warning or a failure. */
export type Finding = {
  check: string;
  /** warning: it works, and will not for long or not for everybody. skipped: what it depends on failed. */
  status: 'ok' | 'warning' | 'failed' | 'skipped';
  detail: string;
  advice: string | null;
};

/** All is well. */
export function ok(check: string, detail: string): Finding {
  return { check, status: 'ok', detail, advice: null };
}

/** It works, but. */
export function warning(check: string, detail: string, advice: string): Finding {
  return { check, status: 'warning', detail, advice };
}

/** It does not work. */
export function failed(check: string, detail: string, advice: string): Finding {
  return { check, status: 'failed', detail, advice };
}

/** It could not be looked at, because of another finding. */
export function skipped(check: string, because: string): Finding {
  return { check, status: 'skipped', detail: `not looked at: ${because}`, advice: null };
}

/** Runs a check; an error becomes a failure with the error's own advice, or else with `advice`. Never rejects. */
export async function attempt(check: string, advice: string, look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    const failure = explainFailure(error);
    return failed(check, failure.message, failure.advice ?? advice);
  }
}
