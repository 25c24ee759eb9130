const KEY = 'paywatch.start-left';

/** Whether somebody chose the overview before the first steps were done, in this tab. */
export function wasStartLeft(): boolean {
  return sessionStorage.getItem(KEY) !== null;
}

/** Remembers that choice, so that the overview does not lead back. */
export function leaveStart(): void {
  sessionStorage.setItem(KEY, '1');
}
