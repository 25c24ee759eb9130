import type { RotatedTokenView } from '@paywatch/domain/contract';
import { Notice } from '../../../ui/notice.tsx';
import { useSignedInAccount } from '../../app/account-context.ts';
import { ConfirmButton } from '../../parts/form/confirm-button.tsx';
import { ProblemNotice } from '../../parts/form/form.tsx';
import { useSubmit } from '../../api/use-submit.ts';

/** Replaces the token of a link; the previous link stops working. */
export function RotateButton({ kind }: { kind: 'donate' | 'overlay' }) {
  const { api, texts, refresh } = useSignedInAccount();
  const rotation = useSubmit<RotatedTokenView>();
  const words = texts.donations;
  const rotate = async () => {
    if ((await rotation.send(() => api.rotateProjectToken(kind))) !== null) await refresh();
  };
  return (
    <>
      <ConfirmButton
        question={words.rotateAsk[kind]}
        detail={words.rotateDetail[kind]}
        testId={`rotate-${kind}`}
        onConfirm={() => void rotate()}
      >
        {words.rotate}
      </ConfirmButton>
      <ProblemNotice problem={rotation.problem} />
      {rotation.value === null ? null : (
        <Notice tone="calm" icon="check" testId={`rotated-${kind}`}>
          {words.rotated}
        </Notice>
      )}
    </>
  );
}
