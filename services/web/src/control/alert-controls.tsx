import type { ControlView } from '@paywatch/domain/contract';
import { useRef } from 'preact/hooks';
import { Notice } from '../ui/notice.tsx';
import type { PartProps } from './control-app.tsx';
import { VolumeField } from './volume-field.tsx';

/** Pauses, skips and drops alerts, and sets their volume. */
export function AlertControls({ view, ...part }: PartProps & { view: ControlView }) {
  const { calls, run, texts } = part;
  const toggle = view.paused ? 'resume' : 'pause';
  return (
    <section class="part" aria-labelledby="alerts" data-testid="alerts">
      <h2 id="alerts">{texts.alerts}</h2>
      {view.paused ? (
        <Notice tone="waiting" testId="paused">
          {texts.paused}
        </Notice>
      ) : null}
      <div class="controls">
        <button
          type="button"
          class={view.paused ? 'button button--main' : 'button'}
          data-shortcut="pause"
          data-testid="pause"
          onClick={() => void run(calls.act({ action: toggle }))}
        >
          {texts[toggle]}
        </button>
        <button
          type="button"
          class="button"
          data-shortcut="skip"
          data-testid="skip"
          onClick={() => void run(calls.act({ action: 'skip' }))}
        >
          {texts.skip}
        </button>
        <ClearButton {...part} />
      </div>
      <VolumeField {...part} volume={view.volume} />
    </section>
  );
}

/** Asks first, because dropped alerts do not come back. */
function ClearButton({ calls, run, texts }: PartProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const clear = () => {
    dialog.current?.close();
    void run(calls.act({ action: 'clear' }));
  };
  return (
    <>
      <button
        type="button"
        class="button"
        data-shortcut="clear"
        data-testid="clear"
        onClick={() => dialog.current?.showModal()}
      >
        {texts.clear}
      </button>
      <dialog class="dialog" ref={dialog} aria-labelledby="clear-title" data-testid="clear-dialog">
        <h2 id="clear-title">{texts.clearAsk}</h2>
        <p>{texts.clearDetail}</p>
        <div class="buttons">
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            {texts.cancel}
          </button>
          <button type="button" class="button button--main" data-testid="clear-confirm" onClick={clear}>
            {texts.clear}
          </button>
        </div>
      </dialog>
    </>
  );
}
