/** Stores the stream position of the overlay across reloads. */
export type PositionStore = { read(): string | null; write(position: string): void };

/** Opens the position store in localStorage. In a preview, or where storage is blocked, nothing is stored. */
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
    // Storage is full. Alerts continue; a reload resumes from the last position that was written.
  }
}

function localStorageOrNull(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    // Browsers throw if storage is blocked. Alerts still work; a reload starts with the next donation.
    return null;
  }
}
