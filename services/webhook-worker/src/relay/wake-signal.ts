/** Wakes one sleeping loop. A wake-up while the loop is awake ends its next sleep at once. */
export type WakeSignal = {
  wake(): void;
  /** Resolves on a wake-up, or after `ms`. */
  sleep(ms: number): Promise<void>;
};

export function createWakeSignal(): WakeSignal {
  let isPending = false;
  let endSleep: (() => void) | null = null;
  return {
    wake: () => {
      isPending = true;
      endSleep?.();
    },
    sleep: async (ms) => {
      if (!isPending) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, ms);
        endSleep = resolve;
        await promise;
        endSleep = null;
        clearTimeout(timer);
      }
      isPending = false;
    },
  };
}
