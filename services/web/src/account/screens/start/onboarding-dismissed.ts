const KEY = 'paywatch.start-left';

/** Whether the guided setup was dismissed in this tab. */
export function isOnboardingDismissed(): boolean {
  return sessionStorage.getItem(KEY) !== null;
}

/** Dismisses the guided setup, so that the overview does not redirect to it. */
export function dismissOnboarding(): void {
  sessionStorage.setItem(KEY, '1');
}
