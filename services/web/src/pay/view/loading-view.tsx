import type { PayTexts } from '../texts/pay-en.ts';

/** What stands in a page whose invoice is still to be read. */
export function LoadingView({ texts, isFailing = false }: { texts: PayTexts; isFailing?: boolean }) {
  return (
    <article class="card loading" data-testid="loading">
      <p role="status">{isFailing ? texts.unreachable : texts.loading}</p>
    </article>
  );
}
