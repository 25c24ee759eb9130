import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The result of an action, shown in place of its form. It takes the focus, so that screen readers announce it. */
export function Result({ children }: { children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div class="result" tabIndex={-1} ref={box}>
      {children}
    </div>
  );
}
