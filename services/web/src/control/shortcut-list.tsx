import { useState } from 'preact/hooks';
import type { ControlTexts } from './control-en.ts';
import { areShortcutsOn, SHORTCUTS, storeShortcuts, useShortcuts } from './shortcuts.ts';

/** The keys that press buttons of the page, with a switch to turn them off. */
export function ShortcutList({ texts }: { texts: ControlTexts }) {
  const [isOn, setOn] = useState(areShortcutsOn);
  useShortcuts(isOn);
  return (
    <section class="part part--keys" aria-labelledby="shortcuts" data-testid="shortcuts">
      <h2 id="shortcuts">{texts.shortcuts}</h2>
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          data-testid="use-shortcuts"
          onChange={(event) => {
            setOn(event.currentTarget.checked);
            storeShortcuts(event.currentTarget.checked);
          }}
        />
        <span>{texts.useShortcuts}</span>
      </label>
      {isOn ? (
        <dl class="keys">
          {Object.entries(SHORTCUTS).map(([key, name]) => (
            <div key={key}>
              <dt>
                <kbd>{key.toUpperCase()}</kbd>
              </dt>
              <dd>{texts[name]}</dd>
            </div>
          ))}
        </dl>
      ) : null}
    </section>
  );
}
