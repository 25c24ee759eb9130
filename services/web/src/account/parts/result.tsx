import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** What an act brought about, in the place of what was acted on: it takes the focus, so that it is read next. */
export function Result({ children }: { children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div class="result" tabIndex={-1} ref={box}>
      {children}
    </div>
  );
}
