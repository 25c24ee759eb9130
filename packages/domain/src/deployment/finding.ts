/** Result of one check of a deployment. `advice` says what to do about a warning or a failure. */
export type Finding = {
  check: string;
  /** `warning`: works, with a risk. `skipped`: another check failed that this one depends on. */
  status: 'ok' | 'warning' | 'failed' | 'skipped';
  detail: string;
  advice: string | null;
};

/** The check passed. */
export function ok(check: string, detail: string): Finding {
  return { check, status: 'ok', detail, advice: null };
}

/** The check passed, with a risk. */
export function warning(check: string, detail: string, advice: string): Finding {
  return { check, status: 'warning', detail, advice };
}

/** The check failed. */
export function failed(check: string, detail: string, advice: string): Finding {
  return { check, status: 'failed', detail, advice };
}

/** The check did not run because another one failed. */
export function skipped(check: string, because: string): Finding {
  return { check, status: 'skipped', detail: `skipped: ${because}`, advice: null };
}
