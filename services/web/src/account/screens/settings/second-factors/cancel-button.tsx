import { useSignedInAccount } from '../../../app/account-context.ts';

/** Leaves a step of adding a second factor. */
export function CancelButton({ onCancel }: { onCancel: () => void }) {
  const { texts } = useSignedInAccount();
  return (
    <button type="button" class="button" data-testid="factor-cancel" onClick={onCancel}>
      {texts.common.cancel}
    </button>
  );
}
