import type { PaymentLinkView } from '@paywatch/domain/contract';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useSignedInAccount } from '../../app/account-context.ts';
import { buttonCode } from './button-code.ts';
import { LINKS_TEXTS } from './links-texts.ts';

/** The HTML that makes a payment button for any site, to copy. */
export function SiteButton({ link }: { link: PaymentLinkView }) {
  const { texts, language, me } = useSignedInAccount();
  const words = LINKS_TEXTS[language];
  const code = buttonCode(link);
  return (
    <details class="code more" data-testid="site-button">
      <summary data-testid="site-button-summary">{words.button}</summary>
      <p class="quiet">{words.buttonDetail}</p>
      {me.project.embed_sites.length > 0 ? null : (
        <Notice tone="waiting" testId="no-sites">
          {words.noSites}
        </Notice>
      )}
      <div class="code__head">
        <span class="label">HTML</span>
        <CopyButton
          text={code}
          label={texts.common.copy}
          copiedLabel={texts.common.copied}
          testId="site-button-copy"
        />
      </div>
      <pre tabIndex={0} aria-label="HTML" role="group" dir="ltr" translate={false}>
        <code data-testid="site-button-code">{code}</code>
      </pre>
      <p class="quiet">{words.buttonWarning}</p>
    </details>
  );
}
