import type { ChainSource } from '../../../src/sources/chain-source.ts';

/** A source through which a watcher can be frozen: it gets a response long after the response was true. */
export type FreezingSource = ChainSource & {
  /** Freezes the next call of this method that comes; resolves when it has come. */
  freezeAt(method: keyof ChainSource): Promise<void>;
  thaw(): void;
};

export function createFreezingSource(source: ChainSource): FreezingSource {
  let freezing: { method: string; reached: () => void; thawed: Promise<void> } | null = null;
  let thaw: (() => void) | null = null;
  const controls = {
    freezeAt: (method: keyof ChainSource) => {
      const reached = Promise.withResolvers<void>();
      const thawed = Promise.withResolvers<void>();
      freezing = { method, reached: reached.resolve, thawed: thawed.promise };
      thaw = thawed.resolve;
      return reached.promise;
    },
    thaw: () => thaw?.(),
  };
  const answer = async (method: string, value: unknown): Promise<unknown> => {
    const result = await value;
    if (freezing?.method !== method) return result;
    const { reached, thawed } = freezing;
    freezing = null;
    reached();
    await thawed;
    return result;
  };
  return new Proxy(source, {
    get: (target, name) => {
      if (name in controls) return Reflect.get(controls, name);
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => answer(String(name), Reflect.apply(value, target, args));
    },
  }) as FreezingSource;
}
