import { timeOfDay } from '../../ui/moment.tsx';
import type { Language } from '../../ui/language.ts';
import type { Sale } from './last-sales.ts';
import type { PosTexts } from '../pos-en.ts';

type SalesListProps = {
  sales: readonly Sale[];
  language: Language;
  texts: PosTexts;
  onOpen: (sale: Sale) => void;
};

/** What this device sold; each line opens its payment page again. */
export function SalesList({ sales, language, texts, onOpen }: SalesListProps) {
  if (sales.length === 0) return null;
  return (
    <section class="sales" aria-labelledby="sales-title">
      <h2 class="label" id="sales-title">
        {texts.last}
      </h2>
      <ul class="sales__list" data-testid="last-sales">
        {sales.map((sale) => (
          <li key={sale.publicId}>
            <button type="button" class="sales__line" data-state={sale.state} onClick={() => onOpen(sale)}>
              <span>
                <bdi dir="ltr">{sale.amount}</bdi>
                {sale.note === '' ? null : (
                  <>
                    {' · '}
                    <bdi>{sale.note}</bdi>
                  </>
                )}
              </span>
              <span class="sales__state">
                {texts.states[sale.state]} · {timeOfDay(sale.startedAtMs, language)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
