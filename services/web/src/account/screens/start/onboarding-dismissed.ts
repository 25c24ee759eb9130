const KEY = 'paywatch.start-left';

/** Whether somebody chose the overview before the first steps were done, in this tab. */
export function isOnboardingDismissed(): boolean {
  return sessionStorage.getItem(KEY) !== null;
}

/** Remembers that choice, so that the overview does not lead back. */
export function dismissOnboarding(): void {
  sessionStorage.setItem(KEY, '1');
}
