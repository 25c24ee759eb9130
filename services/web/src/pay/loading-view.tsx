import type { Language } from '../texts/language.ts';
import { PAY_TEXTS } from '../texts/page-texts.ts';

/** What stands in a page whose invoice is still to be read. */
export function LoadingView({ language, isFailing = false }: { language: Language; isFailing?: boolean }) {
  const texts = PAY_TEXTS[language];
  return (
    <article class="card loading" data-testid="loading">
      <p role="status">{isFailing ? texts.unreachable : texts.loading}</p>
    </article>
  );
}
