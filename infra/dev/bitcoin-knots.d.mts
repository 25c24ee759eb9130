/** The path of its bitcoind; undefined where `provideBitcoinKnots` has not brought it. */
export function findBitcoinKnots(): string | undefined;
/** Brings it unless it is there. Says why where it cannot: bcoin takes its place. Safe to run several times at once. */
export function provideBitcoinKnots(say: (line: string) => void): void;
