import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { useAccount } from '../app/account-context.ts';

type ConfirmButtonProps = {
  /** On the button, and on the one that confirms. */
  children: ComponentChildren;
  /** Names what will end. */
  question: string;
  detail: string;
  onConfirm: () => void;
  testId: string;
};

/** A button for what ends something: it asks first, naming it. The dialog is the browser's own: focus and Escape work. */
export function ConfirmButton({ children, question, detail, onConfirm, testId }: ConfirmButtonProps) {
  const { texts } = useAccount();
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  return (
    <>
      <button
        type="button"
        class="button button--small"
        data-testid={testId}
        onClick={() => dialog.current?.showModal()}
      >
        {children}
      </button>
      <dialog class="dialog" ref={dialog} aria-labelledby={titleId} data-testid={`${testId}-dialog`}>
        <h2 class="dialog__title" id={titleId}>
          {question}
        </h2>
        <p>{detail}</p>
        <div class="dialog__buttons">
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            {texts.common.cancel}
          </button>
          <button
            type="button"
            class="button button--end"
            data-testid={`${testId}-confirm`}
            onClick={() => {
              dialog.current?.close();
              onConfirm();
            }}
          >
            {children}
          </button>
        </div>
      </dialog>
    </>
  );
}
