import type { PayTexts } from '../texts/pay-en.ts';

/** Shown while the invoice is being fetched. */
export function LoadingView({ texts, isFailing = false }: { texts: PayTexts; isFailing?: boolean }) {
  return (
    <article class="card loading" data-testid="loading">
      <p role="status">{isFailing ? texts.unreachable : texts.loading}</p>
    </article>
  );
}
