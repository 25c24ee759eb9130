/** Who did it, in the audit log, when an operator's command did. */
export const ACTOR = 'operator';
