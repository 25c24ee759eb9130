import { useEffect, useRef, useState } from 'preact/hooks';
import type { PartProps } from './control-app.tsx';

/** A dragged slider is saved at most this often. */
const DEBOUNCE_MS = 150;

/** The volume of the alerts, in percent of what the account has set. */
export function VolumeField({ calls, run, texts, volume }: PartProps & { volume: number }) {
  const [draft, setDraft] = useState<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The stream confirms the change; until then the slider stays where it was put.
  useEffect(() => setDraft(null), [volume]);
  const change = (wanted: number) => {
    setDraft(wanted);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void save(wanted), DEBOUNCE_MS);
  };
  const save = async (wanted: number) => {
    if (!(await run(calls.act({ action: 'volume', volume: wanted })))) setDraft(null);
  };
  const shown = draft ?? volume;
  return (
    <div class="volume">
      <label class="label" for="volume">
        {texts.volume} <span class="label__note">{shown} %</span>
      </label>
      <div class="volume__row">
        <input
          id="volume"
          class="range"
          type="range"
          min="0"
          max="100"
          step="5"
          value={shown}
          data-testid="volume"
          onInput={(event) => change(Number(event.currentTarget.value))}
        />
        <button
          type="button"
          class="button button--small"
          data-shortcut="mute"
          data-testid="mute"
          onClick={() => change(shown === 0 ? 100 : 0)}
        >
          {shown === 0 ? texts.unmute : texts.mute}
        </button>
      </div>
    </div>
  );
}
