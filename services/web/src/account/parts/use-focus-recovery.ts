import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/**
 * Moves the focus to the heading of the panel, or of the screen, when the focused control is removed, such as the
 * button of a revoked key. Browsers would move it to the start of the page.
 */
export function useFocusRecovery(screen: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = screen.current;
    if (root === null) return undefined;
    let last: { control: Element; panel: Element | null } | null = null;
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof Element) last = { control: target, panel: target.closest('.panel') };
    };
    const observer = new MutationObserver(() => {
      if (last === null || last.control.isConnected || document.activeElement !== document.body) return;
      const heading = last.panel?.isConnected === true ? last.panel.querySelector('h2') : null;
      (heading ?? root.querySelector('h1'))?.focus({ preventScroll: true });
    });
    root.addEventListener('focusin', onFocus);
    observer.observe(root, { childList: true, subtree: true });
    return () => {
      root.removeEventListener('focusin', onFocus);
      observer.disconnect();
    };
  }, []);
}
