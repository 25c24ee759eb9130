/** What a trial did, in order, and what it found wrong. */
export type TrialResult = { steps: string[]; violations: string[] };

/** Runs a trial and removes all that it set up, also when it is interrupted. Calls `report` after each step. */
export type Trial = (report: (step: string) => void, interrupted: AbortSignal) => Promise<TrialResult>;
