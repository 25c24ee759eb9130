import { useState } from 'preact/hooks';
import type { ApiProblem, ApiResult } from './api-call.ts';

/** The state of a form's request. */
export type Submit<Value> = {
  readonly isBusy: boolean;
  readonly problem: ApiProblem | null;
  /** The result of the last successful submission; null after a failed one. */
  readonly value: Value | null;
  /** Sends the request; ignored while another is in progress. */
  readonly send: (call: () => Promise<ApiResult<Value>>) => Promise<Value | null>;
  readonly reset: () => void;
};

/** Tracks the request of a form. */
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
