import { useCallback, useEffect, useState } from 'preact/hooks';
import { fetchInvoice } from '../../pay/fetch-public.ts';
import { readSales, saleState, withSale, writeSales, type Sale, type SaleState } from './last-sales.ts';

/** The last sales of this device. Those that were undecided when the page was left are read again. */
export function useSales(token: string) {
  const [sales, setSales] = useState<readonly Sale[]>([]);
  const update = useCallback(
    (change: (before: readonly Sale[]) => readonly Sale[]) =>
      setSales((before) => {
        const after = change(before);
        writeSales(token, after);
        return after;
      }),
    [token],
  );
  const keep = useCallback((sale: Sale) => update((before) => withSale(before, sale)), [update]);
  const setState = useCallback(
    (publicId: string, state: SaleState) =>
      update((before) => before.map((sale) => (sale.publicId === publicId ? { ...sale, state } : sale))),
    [update],
  );
  useEffect(() => {
    const kept = readSales(token);
    setSales(kept);
    for (const { publicId, state } of kept) if (state === 'open' || state === 'seen') void refresh(publicId);

    async function refresh(publicId: string): Promise<void> {
      const answer = await fetchInvoice(publicId);
      if (answer.kind === 'invoice')
        setState(publicId, saleState(answer.invoice, answer.serverNowMs ?? Date.now()));
    }
  }, [token, setState]);
  return { sales, keep, setState };
}
