/** What a trial did, in order, and what it found wrong. */
export type TrialResult = { steps: string[]; violations: string[] };
