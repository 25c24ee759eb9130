import type { NewWebhookEndpointView, WebhookEndpointView } from '@paywatch/domain/contract';
import { useSignedInAccount } from '../../app/account-context.ts';
import { useSubmit } from '../../api/use-submit.ts';
import { ConfirmButton } from '../../parts/form/confirm-button.tsx';
import { ProblemNotice } from '../../parts/form/form.tsx';
import { SecretBox } from '../../parts/secret-box.tsx';

/** Replaces the secret of the endpoint, whose URL stays, and shows the new one once. */
export function RotateSecret({
  endpoint,
  onRotated,
}: {
  endpoint: WebhookEndpointView;
  onRotated: () => Promise<void>;
}) {
  const { api, texts } = useSignedInAccount();
  const submit = useSubmit<NewWebhookEndpointView>();
  const words = texts.webhooks;
  const rotate = async () => {
    if ((await submit.send(() => api.rotateWebhookSecret(endpoint.id))) !== null) await onRotated();
  };
  if (submit.value !== null) {
    return (
      <SecretBox
        label={words.secret}
        value={submit.value.secret}
        hint={words.secretHint}
        testId="rotated-secret"
      />
    );
  }
  return (
    <>
      <ProblemNotice problem={submit.problem} />
      <ConfirmButton
        question={words.rotateAsk}
        detail={words.replaceDetail}
        testId="rotate-secret"
        onConfirm={() => void rotate()}
      >
        {words.rotate}
      </ConfirmButton>
    </>
  );
}
