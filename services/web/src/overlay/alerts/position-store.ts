/** Stores the stream position of the overlay across reloads, and the number of the last replay. */
export type PositionStore = {
  read(): string | null;
  write(position: string): void;
  replay: { read(): number | null; write(number: number): void };
};

/** Opens the position store in localStorage. In a preview, or where storage is blocked, nothing is stored. */
export function openPositionStore(token: string, isPreview: boolean): PositionStore {
  const key = `paywatch.overlay.${token}`;
  const storage = isPreview ? null : localStorageOrNull();
  const replayKey = `${key}.replay`;
  // Without storage the page remembers its replays, but not across reloads.
  let replay = storage?.getItem(replayKey) ?? null;
  return {
    read: () => storage?.getItem(key) ?? null,
    write: (position) => {
      if (storage !== null) writeItem(storage, key, position);
    },
    replay: {
      read: () => (replay === null ? null : Number(replay)),
      write: (number) => {
        replay = String(number);
        if (storage !== null) writeItem(storage, replayKey, replay);
      },
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
