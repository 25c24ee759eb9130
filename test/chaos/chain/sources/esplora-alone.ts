import type { EsploraServer } from '../../../../services/watcher/test/support/sources/esplora-server.ts';
import type { NodeDoor } from './node-door.ts';

/** The times in which watchers read a chain from an Esplora server, because they do not reach its node. */
export type EsploraAlone = {
  begin(): void;
  /** Does nothing where it has not begun. */
  end(): void;
  hasBegun(): boolean;
  /** How many blocks they have read in these times. */
  blocks(): number;
};

/** None of them has begun. */
export function esploraAlone(door: NodeDoor, { requests }: Pick<EsploraServer, 'requests'>): EsploraAlone {
  let sum = 0;
  let servedBefore: number | null = null;
  const served = (): number => requests.filter((path) => /^\/block\/.*\/raw$/.test(path)).length;
  const sinceBegin = (): number => (servedBefore === null ? 0 : served() - servedBefore);
  return {
    begin: () => {
      servedBefore = served();
      door.setOpen(false);
    },
    end: () => {
      sum += sinceBegin();
      servedBefore = null;
      door.setOpen(true);
    },
    hasBegun: () => servedBefore !== null,
    blocks: () => sum + sinceBegin(),
  };
}
