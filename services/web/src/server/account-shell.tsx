import type { Language } from '../ui/language.ts';
import { PAGE_TEXTS } from './page-texts.ts';
import { ACCOUNT_SHELL_TEXTS } from './account-shell-texts.ts';

/** What stands in the account area until its script has come; and for good where none runs. */
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
