const KEY = 'paywatch.project';

/** The id of the project that this tab acts on; null for the first one of the account. A tab keeps it until it is closed. */
export function readChosenProject(): string | null {
  return sessionStorage.getItem(KEY);
}

/** Notes the project that this tab acts on. */
export function writeChosenProject(id: string | null): void {
  if (id === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, id);
}
