/** Where the overlay left off, kept across reloads of its page. */
export type PositionStore = { read(): string | null; write(position: string): void };

/** Keeps the position in this browser. In a preview, or where storage is refused, it is kept for this page only. */
export function openPositionStore(token: string, isPreview: boolean): PositionStore {
  const key = `paywatch.overlay.${token}`;
  const storage = isPreview ? null : localStorageOrNull();
  return {
    read: () => storage?.getItem(key) ?? null,
    write: (position) => {
      if (storage !== null) writeItem(storage, key, position);
    },
  };
}

function writeItem(storage: Storage, key: string, value: string): void {
  try {
    storage.setItem(key, value);
  } catch {
    // The storage of the browser is full: alerts go on, and a reload begins where it last could be written.
  }
}

function localStorageOrNull(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    // Browsers throw where storage is turned off; alerts are shown all the same, only a reload starts anew.
    return null;
  }
}
