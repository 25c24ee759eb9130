import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ApiProblem, ApiResult } from './api-call.ts';

/** Loaded data. During a reload the previous value is kept. */
export type Loaded<Value> = {
  readonly value: Value | null;
  readonly problem: ApiProblem | null;
  readonly reload: () => Promise<void>;
};

/**
 * Loads data when one of `dependencies` changes, and again when the network is back. A response that arrives after a
 * newer request was started is dropped.
 */
export function useLoad<Value>(
  load: () => Promise<ApiResult<Value>>,
  dependencies: readonly unknown[],
): Loaded<Value> {
  const [state, setState] = useState<Pick<Loaded<Value>, 'value' | 'problem'>>({
    value: null,
    problem: null,
  });
  const run = useRef(0);
  const reload = useCallback(async () => {
    const mine = ++run.current;
    const result = await load();
    if (mine !== run.current) return;
    setState((before) =>
      result.ok ? { value: result.value, problem: null } : { value: before.value, problem: result.problem },
    );
  }, dependencies);
  useEffect(() => {
    setState({ value: null, problem: null });
    void reload();
    return () => {
      run.current++;
    };
  }, [reload]);
  const isUnreachable = state.problem?.code === 'unreachable';
  useEffect(() => {
    if (!isUnreachable) return undefined;
    const onOnline = () => void reload();
    addEventListener('online', onOnline);
    return () => removeEventListener('online', onOnline);
  }, [isUnreachable, reload]);
  return { ...state, reload };
}

/** Calls `act` at an interval while `isActive` and the page is visible. */
export function useInterval(milliseconds: number, isActive: boolean, act: () => Promise<void>): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (!isActive) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void latest.current();
    }, milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds, isActive]);
}
