import type { PublicBranding, PublicInvoiceView } from '@paywatch/domain/contract';
import { priceText } from '../money/fiat.ts';
import type { Language } from '../ui/language.ts';
import { ORDER_TEXTS } from './order-texts.ts';

type Lines = PublicInvoiceView['lines'];

export type OrderSummaryProps = {
  branding: PublicBranding | null;
  lines: Lines;
  /** The currency of the amounts; null if the lines have none. */
  price: PublicInvoiceView['price'];
  language: Language;
};

/** Whether there is anything to show below the view. Pure. */
export function hasSummary({ branding, lines }: Pick<OrderSummaryProps, 'branding' | 'lines'>): boolean {
  return lines.length > 0 || (branding?.terms_url ?? branding?.support_url ?? null) !== null;
}

/** The lines of the order, and the links of the project, below the view. The texts are untrusted. */
export function OrderSummary({ branding, lines, price, language }: OrderSummaryProps) {
  const { lines: yours, support } = ORDER_TEXTS[language];
  return (
    <aside class="order" aria-label={lines.length === 0 ? support : yours} data-testid="order">
      {lines.length === 0 ? null : <OrderLines lines={lines} price={price} language={language} />}
      <OrderLinks branding={branding} language={language} />
    </aside>
  );
}

function OrderLines({ lines, price, language }: Omit<OrderSummaryProps, 'branding'>) {
  const texts = ORDER_TEXTS[language];
  const hasAmounts = lines.some(({ amount }) => amount !== null);
  return (
    <>
      <h2 class="order__title">{texts.lines}</h2>
      <ul class="order__lines" data-testid="order-lines">
        {lines.map((line, index) => (
          <li key={index} class="order__line">
            <span class="order__name">
              {line.quantity === 1 ? null : <span class="order__count">{line.quantity} × </span>}
              <bdi>{line.name}</bdi>
            </span>
            <Amount amount={line.amount} price={price} language={language} />
          </li>
        ))}
        {hasAmounts && price !== null ? (
          <li class="order__line order__total">
            <span class="order__name">{texts.total}</span>
            <Amount amount={price.amount} price={price} language={language} />
          </li>
        ) : null}
      </ul>
    </>
  );
}

type AmountProps = { amount: string | null; price: PublicInvoiceView['price']; language: Language };

function Amount({ amount, price, language }: AmountProps) {
  if (amount === null || price === null) return null;
  return <bdi class="order__amount">{priceText({ amount, currency: price.currency }, language)}</bdi>;
}

function OrderLinks({ branding, language }: Pick<OrderSummaryProps, 'branding' | 'language'>) {
  const texts = ORDER_TEXTS[language];
  const links = [
    [branding?.terms_url, texts.terms],
    [branding?.support_url, texts.support],
  ] as const;
  return (
    <p class="order__links">
      {links.map(([url, text]) => (url ? <OrderLink key={text} url={url} text={text} /> : null))}
    </p>
  );
}

/** The API accepts no other schemes; the page trusts only what it checks itself. */
function OrderLink({ url, text }: { url: string; text: string }) {
  if (!/^(https:\/\/|mailto:)/iu.test(url)) return null;
  const { host, pathname } = new URL(url);
  return (
    <span>
      <a href={url} target="_blank" rel="noopener noreferrer nofollow">
        {text}
      </a>{' '}
      <bdi class="order__host" dir="ltr">
        {host || pathname}
      </bdi>
    </span>
  );
}
