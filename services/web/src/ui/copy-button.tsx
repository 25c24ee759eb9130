import { useCopy } from './copy.ts';
import { Icon } from './icons.tsx';

type CopyButtonProps = {
  text: string;
  label: string;
  copiedLabel: string;
  testId?: string;
  /** The text of the button; icon only without it. */
  children?: string;
};

/** Copies a text and confirms it for two seconds. Hidden where JavaScript is off. */
export function CopyButton({ text, ...looks }: CopyButtonProps) {
  const { copied, copy } = useCopy();
  return <CopyControl {...looks} isCopied={copied !== null} onClick={() => copy(text)} />;
}

type CopyControlProps = Omit<CopyButtonProps, 'text'> & { isCopied: boolean; onClick: () => void };

/** The same, with the copied state held by the parent. */
export function CopyControl({ label, copiedLabel, testId, children, isCopied, onClick }: CopyControlProps) {
  return (
    <button
      type="button"
      class="copy needs-script"
      data-copied={isCopied}
      aria-label={label}
      data-testid={testId}
      onClick={onClick}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
      {children === undefined ? null : <span>{isCopied ? copiedLabel : children}</span>}
      <span class="visually-hidden" role="status">
        {isCopied ? copiedLabel : ''}
      </span>
    </button>
  );
}
