import type { Language } from '../ui/language.ts';
import { PAGE_TEXTS } from './page-texts.ts';
import { ACCOUNT_SHELL_TEXTS } from './account-shell-texts.ts';

/** The account area until its script has loaded, or permanently where JavaScript is off. */
export function AccountShell({ language }: { language: Language }) {
  return (
    <article class="card loading">
      <h1 class="visually-hidden">Paywatch</h1>
      <p class="needs-script">{PAGE_TEXTS[language].pay.loading}</p>
      <noscript>
        <p>{ACCOUNT_SHELL_TEXTS[language].needsScript}</p>
      </noscript>
    </article>
  );
}
