import { useLayoutEffect } from 'preact/hooks';
import { keyOf, type Key } from './keypad-amount.ts';
import type { PosTexts } from '../pos-en.ts';

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'point', '0', 'back'] as const satisfies Key[];

type KeypadProps = { texts: PosTexts; onKey: (key: Key) => void };

/** The keys of the amount. A keyboard does the same, unless the reader types into a field. */
export function Keypad({ texts, onKey }: KeypadProps) {
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const key = event.target instanceof HTMLInputElement ? null : keyOf(event.key);
      if (key === null || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      onKey(key);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [onKey]);
  return (
    <div class="keypad" role="group" aria-label={texts.keypad}>
      {KEYS.map((key) => (
        <button
          key={key}
          type="button"
          class="keypad__key"
          aria-label={key === 'back' ? texts.back : key === 'point' ? texts.point : undefined}
          data-testid={`key-${key}`}
          onClick={() => onKey(key)}
        >
          {key === 'back' ? '⌫' : key === 'point' ? texts.pointSign : key}
        </button>
      ))}
    </div>
  );
}
