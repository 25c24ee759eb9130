/** Actor in the audit log for changes made with the CLI. */
export const ACTOR = 'operator';
