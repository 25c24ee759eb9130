import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { useAccount } from '../../app/account-context.ts';

type ConfirmButtonProps = {
  /** The label of the button and of the confirming button. */
  children: ComponentChildren;
  /** The title of the dialog; names the object that is affected. */
  question: string;
  /** One paragraph, or several. */
  detail: string | readonly string[];
  onConfirm: () => void;
  testId: string;
};

/** A button for a destructive action, which asks for confirmation. The native dialog handles focus and Escape. */
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
        {[detail].flat().map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
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
