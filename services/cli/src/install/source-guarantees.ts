/** What each chain source can and cannot guarantee, as the installer shows it. */
export const SOURCE_GUARANTEES = `
  Your own node   Sees every payment that reaches the network, checks every rule of the currency, and tells nobody which
                  addresses are yours. If only other people's machines can reach it, they can still hide blocks from it.
  Someone's       Checks of Paywatch: proof of work, the difficulty rules, and that a transaction is in its block. It cannot
  Esplora         check that coins existed, nor notice a payment that the server leaves out of its mempool, and the server
                  learns which addresses belong together. Use it to start, or for small amounts.`;
