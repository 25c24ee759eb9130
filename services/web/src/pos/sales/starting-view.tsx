import { Notice } from '../../ui/notice.tsx';
import type { PosTexts } from '../pos-en.ts';

type StartingViewProps = {
  amount: string;
  isOffline: boolean;
  /** Of the proof of work, 0 to 1; null while none is running. */
  progress: number | null;
  texts: PosTexts;
  onCancel: () => void;
};

/** Shown until there is a QR code: for a moment, or as long as the phone is offline. */
export function StartingView({ amount, isOffline, progress, texts, onCancel }: StartingViewProps) {
  return (
    <article class="card pos" data-testid="pos-starting" data-offline={isOffline}>
      <h1 class="pos__title">{texts.sale}</h1>
      <p class="pos__amount">
        <bdi dir="ltr">{amount}</bdi>
      </p>
      {isOffline ? (
        <Notice tone="waiting" icon="clock" testId="pos-offline">
          {texts.offline}
        </Notice>
      ) : (
        <p role="status">{texts.starting}</p>
      )}
      {progress === null ? null : (
        <progress class="proof__bar" aria-label={texts.starting} value={progress} max={1} />
      )}
      <button type="button" class="button" data-testid="pos-cancel" onClick={onCancel}>
        {texts.cancel}
      </button>
    </article>
  );
}
