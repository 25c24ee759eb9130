/** What the installer has to know about the machine. */
export type Facts = {
  /** The release of Debian: 12 or 13. */
  debian: number;
  memoryMb: number;
  /** The release that this program belongs to. */
  release: string;
  /** The release that `current` names; null before the first installation. */
  installed: string | null;
};

/** The major version of Postgres in each supported release of Debian. */
export const POSTGRES_OF_DEBIAN: Readonly<Record<number, number>> = { 12: 15, 13: 17 };

/** With less memory Postgres, Redis and five processes of Node do not fit. */
export const MIN_MEMORY_MB = 1800;
