/** Wakes one sleeper. Rung while nobody sleeps, it ends the next sleep at once. */
export type Bell = {
  ring(): void;
  /** Sleeps until the bell rings, at most `ms`. */
  sleep(ms: number): Promise<void>;
};

export function createBell(): Bell {
  let isRung = false;
  let wake: (() => void) | null = null;
  return {
    ring: () => {
      isRung = true;
      wake?.();
    },
    sleep: async (ms) => {
      if (!isRung) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, ms);
        wake = resolve;
        await promise;
        wake = null;
        clearTimeout(timer);
      }
      isRung = false;
    },
  };
}
