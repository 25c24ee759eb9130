import { useState } from 'preact/hooks';
import type { ApiProblem, ApiResult } from './api-call.ts';

/** A form's way to the API. */
export type Submit<Value> = {
  readonly isBusy: boolean;
  readonly problem: ApiProblem | null;
  /** What the last try gave, until the next one. */
  readonly value: Value | null;
  /** Sends; while one is under way another is not begun. */
  readonly send: (call: () => Promise<ApiResult<Value>>) => Promise<Value | null>;
  readonly reset: () => void;
};

/** Keeps what a form needs to know of its request. */
export function useSubmit<Value>(): Submit<Value> {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [value, setValue] = useState<Value | null>(null);
  const send = async (call: () => Promise<ApiResult<Value>>): Promise<Value | null> => {
    if (isBusy) return null;
    setBusy(true);
    const result = await call();
    setBusy(false);
    setProblem(result.ok ? null : result.problem);
    setValue(result.ok ? result.value : null);
    return result.ok ? result.value : null;
  };
  const reset = () => {
    setProblem(null);
    setValue(null);
  };
  return { isBusy, problem, value, send, reset };
}
