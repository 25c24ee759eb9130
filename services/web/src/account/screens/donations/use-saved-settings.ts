import type { OverlaySettings } from '@paywatch/domain/contract';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiProblem } from '../../api/api-call.ts';
import { useSignedInAccount } from '../../app/account-context.ts';

/** Changes within this time are saved together. Short enough for an open overlay to follow within a second. */
const DEBOUNCE_MS = 300;

/** The settings as shown, why the last change could not be saved, and a function that changes and saves. */
export type SavedSettings = {
  readonly settings: OverlaySettings;
  readonly problem: ApiProblem | null;
  readonly change: (change: Partial<OverlaySettings>) => void;
};

/** Shows each change at once and saves it. Takes back what cannot be saved. */
export function useSavedSettings(loaded: OverlaySettings): SavedSettings {
  const { api } = useSignedInAccount();
  const [settings, setSettings] = useState(loaded);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const saved = useRef(loaded);
  const pending = useRef<Partial<OverlaySettings>>({});
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // One at a time: of two changes of the same setting, the later one must be saved last.
  const saving = useRef(Promise.resolve());

  const save = async () => {
    const change = pending.current;
    if (Object.keys(change).length === 0) return;
    pending.current = {};
    const result = await api.updateOverlaySettings(change);
    setProblem(result.ok ? null : result.problem);
    if (result.ok) saved.current = result.value;
    else setSettings({ ...saved.current, ...pending.current });
  };
  const enqueueSave = () => {
    saving.current = saving.current.then(save);
  };
  const change = (more: Partial<OverlaySettings>) => {
    setSettings((now) => ({ ...now, ...more }));
    pending.current = { ...pending.current, ...more };
    clearTimeout(timer.current);
    timer.current = setTimeout(enqueueSave, DEBOUNCE_MS);
  };
  // Leaving the screen saves what was just changed.
  useEffect(() => enqueueSave, []);
  return { settings, problem, change };
}
