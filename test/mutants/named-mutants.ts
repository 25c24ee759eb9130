import { lineOf, type Mutation } from './mutations/mutation.ts';

/** A mistake of which each once went unnoticed by all tests: `was` occurs once in the file. */
type NamedMutant = { mistake: string; file: string; was: string; becomes: string };

/** Tested in every run of their part, whatever the sample. None of them may survive. */
const NAMED: readonly NamedMutant[] = [
  {
    mistake: 'invoices of replaced transactions are not decided',
    file: 'services/watcher/src/payments/plan-record.ts',
    was: '[...facts.recorded, ...payments]',
    becomes: 'payments',
  },
  {
    mistake: 'void payments reduce what an invoice is owed',
    file: 'packages/store/src/payments/payments.ts',
    was: "where p.invoice_id = i.id and t.state <> 'void'), 0))::bigint as due",
    becomes: 'where p.invoice_id = i.id), 0))::bigint as due',
  },
  {
    mistake: 'the tip moves over blocks that were not scanned',
    file: 'packages/store/src/chain/chains.ts',
    was: 'where currency = ${currency} and height > c.tip_height and scanned_at is null), 2147483647)',
    becomes: 'where false), 2147483647)',
  },
  {
    mistake: 'an agreement counts for every block',
    file: 'services/watcher/src/payments/withhold-unagreed.ts',
    was: 'agreement?.blockHash === blockHash && ',
    becomes: '',
  },
  {
    mistake: 'payments do not move the window of a pool',
    file: 'services/watcher/src/payments/record-outputs.ts',
    was: 'advanceLastUsed(tx, plan.addresses),',
    becomes: '',
  },
  {
    mistake: 'an extended invoice stays swept',
    file: 'packages/store/src/invoices/invoices.ts',
    was: 'deadline_swept = false,',
    becomes: '',
  },
  {
    mistake: "a guest's gap limit may be above the owner's",
    file: 'packages/store/src/invoices/create-invoice.sql',
    was: 'least(w.gap_limit, p.gap_limit) as highest_index',
    becomes: 'w.gap_limit as highest_index',
  },
  {
    mistake: 'a block is recorded under the hash that was asked for',
    file: 'services/watcher/src/sources/node/read-block.ts',
    was: 'if (block.hash !== hash)',
    becomes: 'if (false)',
  },
  {
    mistake: 'what a returned payment conflicts with is not void',
    file: 'services/watcher/src/chain/read-mempool.ts',
    was: 'await voidConflicting(tx, currency, returned)',
    becomes: '[]',
  },
];

/** The named mutants of a file. Throws if the text that one replaces is not there exactly once. */
export function namedMutants(file: string, source: string): Mutation[] {
  return NAMED.filter((named) => named.file === file).map(({ mistake, was, becomes }) => {
    const start = source.indexOf(was);
    if (start === -1 || source.includes(was, start + 1))
      throw new Error(`${file} does not contain exactly once: ${was}`);
    return { start, end: start + was.length, was, becomes, name: mistake, line: lineOf(source, start) };
  });
}

/** The files that have named mutants. */
export function filesOfNamedMutants(): string[] {
  return NAMED.map(({ file }) => file);
}
