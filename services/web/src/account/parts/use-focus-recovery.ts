import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/**
 * Where the control that had the focus is taken away, such as the button of a key that was revoked, the focus goes to
 * the heading of the panel that it was in, else to that of the screen. A browser would put it at the start of the page.
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
