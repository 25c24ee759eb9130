import type { OverlayDonation, OverlaySettings } from '@paywatch/domain/contract';
import { plainText } from '@paywatch/domain/visible-text';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PreviewedAlert } from '../../overlay/preview/previewed-alert.ts';
import { coinText } from '../../money/amounts.ts';
import { askedUnits } from './donation-draft.ts';
import type { DonationFormProps } from './donation-form.tsx';
import { isMessageShown } from './message-notes.ts';

/** The alert as the overlay will show it, drawn by the overlay's own script in a frame, which is loaded after the form. */
export function AlertPreview(props: DonationFormProps) {
  const { language, texts } = props;
  const frame = useRef<HTMLIFrameElement>(null);
  const [state, setState] = useState<'empty' | 'loading' | 'ready'>('empty');
  useEffect(() => {
    const onMessage = ({ origin, source }: MessageEvent) => {
      if (origin === location.origin && source === frame.current?.contentWindow) setState('ready');
    };
    addEventListener('message', onMessage);
    setState('loading');
    return () => removeEventListener('message', onMessage);
  }, []);
  const alert = JSON.stringify(previewedAlert(props));
  useEffect(() => {
    if (state === 'ready') frame.current?.contentWindow?.postMessage(JSON.parse(alert), location.origin);
  }, [state, alert]);
  return (
    <section class="preview needs-script" aria-label={texts.preview} data-testid="preview">
      <p class="label">{texts.preview}</p>
      <div class="preview__stage">
        {state === 'empty' ? null : (
          <iframe
            ref={frame}
            class="preview__frame"
            src={`/alert-preview?lang=${language}`}
            title={texts.preview}
            tabIndex={-1}
            data-testid="preview-frame"
          />
        )}
      </div>
    </section>
  );
}

/** Without an amount, the alert has the look of the smallest donation. Pure. */
function previewedAlert({ link, draft, currency, texts }: DonationFormProps): PreviewedAlert {
  const units = askedUnits(draft, currency, link) ?? 0n;
  const message = isMessageShown(link, draft, currency) ? plainText(draft.donor_message) : '';
  const donation: OverlayDonation = {
    public_id: '',
    donor_name: plainText(draft.donor_name) || null,
    donor_message: message || null,
    amount: String(units),
    currency,
    fiat: null,
    confirmed_at: '',
    test: false,
  };
  // JSON leaves out what is undefined.
  const settings = (link.alert ?? {}) as Partial<OverlaySettings>;
  return {
    settings,
    donation,
    amountText: units === 0n ? texts.anyAmount : coinText(String(units), currency),
  };
}
