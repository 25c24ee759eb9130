import { useLayoutEffect } from 'preact/hooks';

/** The keys that press a button of the page, in the order of the list that shows them. */
export const SHORTCUTS = {
  a: 'approve',
  b: 'blockText',
  d: 'dismiss',
  p: 'pause',
  s: 'skip',
  c: 'clear',
  m: 'mute',
  r: 'replay',
  t: 'send',
} as const;
type ShortcutName = (typeof SHORTCUTS)[keyof typeof SHORTCUTS];

/**
 * Lets a key press the first button with its name in `data-shortcut`. Keys that are typed into a field, held down or pressed with a
 * modifier count for the browser.
 */
export function useShortcuts(isOn: boolean): void {
  // In the layout phase, so that no key pressed after the change still counts.
  useLayoutEffect(() => {
    if (!isOn) return undefined;
    const press = (event: KeyboardEvent) => {
      const name = shortcutOf(event);
      if (name === null || document.querySelector('dialog[open]') !== null) return;
      document.querySelector<HTMLElement>(`[data-shortcut="${name}"]`)?.click();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [isOn]);
}

function shortcutOf({ key, target, repeat, ctrlKey, altKey, metaKey }: KeyboardEvent): ShortcutName | null {
  const isTyped = target instanceof Element && target.matches('input:not([type=checkbox]), select, textarea');
  if (isTyped || repeat || ctrlKey || altKey || metaKey) return null;
  return Object.entries(SHORTCUTS).find(([known]) => known === key.toLowerCase())?.[1] ?? null;
}

const STORED_AS = 'paywatch.control.shortcuts';

/** Whether this browser uses shortcuts; they can be turned off, since speech input may type single letters. */
export function areShortcutsOn(): boolean {
  try {
    return localStorage.getItem(STORED_AS) !== 'off';
  } catch {
    // Storage is blocked.
    return true;
  }
}

/** Remembers the choice in this browser. */
export function storeShortcuts(isOn: boolean): void {
  try {
    localStorage.setItem(STORED_AS, isOn ? 'on' : 'off');
  } catch {
    // Storage is blocked; the choice holds until the page is closed.
  }
}
