import type { ComponentChildren } from 'preact';
import { LanguageLinks } from '../../ui/language-links.tsx';
import { useAccount } from '../app/account-context.ts';
import { Brand } from './brand.tsx';

/** The layout of the login page. */
export function LoginFrame({ children }: { children: ComponentChildren }) {
  const { language, texts } = useAccount();
  return (
    <>
      <main class="column login">
        <Brand />
        <p class="login__lead">{texts.login.lead}</p>
        <div class="card">{children}</div>
      </main>
      <LanguageLinks language={language} />
    </>
  );
}
