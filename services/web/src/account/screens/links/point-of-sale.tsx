import { useSignedInAccount } from '../../app/account-context.ts';
import { CopyField } from '../../parts/secret-box.tsx';
import { CodeToggle } from './code-toggle.tsx';
import { LINKS_TEXTS } from './links-texts.ts';

/** The page that makes a phone the point of sale of a link, to open there. */
export function PointOfSale({ url }: { url: string }) {
  const { language } = useSignedInAccount();
  const words = LINKS_TEXTS[language];
  return (
    <details class="code more" data-testid="pos">
      <summary data-testid="pos-summary">{words.pos}</summary>
      <p class="quiet">{words.posDetail}</p>
      <CopyField value={url} testId="pos-url" />
      <CodeToggle url={url} label={words.posQr} testId="pos-qr" />
    </details>
  );
}
