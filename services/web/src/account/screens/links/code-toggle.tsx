import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useSignedInAccount } from '../../app/account-context.ts';
import { lazy } from '../../parts/lazy.tsx';
import { LINKS_TEXTS } from './links-texts.ts';

// Loaded on demand: the QR encoder is as large as five screens.
const QrCode = lazy(async () => (await import('../../../ui/qr-code.tsx')).QrCode);

type CodeToggleProps = { url: string; label: string; testId: string; children?: ComponentChildren };

/** Shows and hides the QR code of a URL; `children` are further buttons beside it. */
export function CodeToggle({ url, label, testId, children }: CodeToggleProps) {
  const { language } = useSignedInAccount();
  const words = LINKS_TEXTS[language];
  const [isShown, setShown] = useState(false);
  return (
    <>
      {isShown ? (
        <div class="qr-frame">
          <QrCode text={url} label={label} />
        </div>
      ) : null}
      <div class="buttons">
        <button
          type="button"
          class="button button--small"
          aria-expanded={isShown}
          data-testid={testId}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? words.hideQr : words.showQr}
        </button>
        {children}
      </div>
    </>
  );
}
