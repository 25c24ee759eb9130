import type { WebhookEndpointView } from '@paywatch/domain/contract';
import { Moment } from '../../../ui/moment.tsx';
import { useSubmit } from '../../api/use-submit.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { dayText } from '../../app/day-text.ts';
import { Badge } from '../../parts/badge.tsx';
import { ConfirmButton } from '../../parts/form/confirm-button.tsx';
import { ProblemNotice } from '../../parts/form/form.tsx';
import { May } from '../../parts/may.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { RotateSecret } from './rotate-secret.tsx';

type CardProps = { endpoint: WebhookEndpointView; onChanged: () => Promise<void> };

/** One endpoint: where it is, what it wants, whether it works, and what can be done with it. */
export function EndpointCard({ endpoint, onChanged }: CardProps) {
  const { texts } = useSignedInAccount();
  const words = texts.webhooks;
  return (
    <li class="lines__block endpoint-card" data-testid={`endpoint-${endpoint.id}`}>
      {endpoint.description === null ? null : <strong dir="auto">{endpoint.description}</strong>}
      <EndpointHealth endpoint={endpoint} />
      <p class="quiet">
        {endpoint.event_types === null
          ? words.allEvents
          : endpoint.event_types.map((type) => texts.events[type]).join(', ')}
      </p>
      <May call="updateWebhookEndpoint">
        <div class="buttons">
          <RotateSecret endpoint={endpoint} onRotated={onChanged} />
          <EndpointActions endpoint={endpoint} onChanged={onChanged} />
        </div>
        <details class="more" data-testid={`endpoint-edit-${endpoint.id}`}>
          <summary>{words.edit}</summary>
          <EndpointForm endpoint={endpoint} onSaved={onChanged} />
        </details>
      </May>
    </li>
  );
}

const TONES = { untested: 'calm', healthy: 'done', failing: 'act', disabled: 'act' } as const;

function EndpointHealth({ endpoint }: { endpoint: WebhookEndpointView }) {
  const { texts, language } = useSignedInAccount();
  const { status, failing_since: since, url, last_error: error, next_attempt_at: next } = endpoint;
  const words = texts.webhooks;
  const state =
    status === 'failing'
      ? texts.endpointStates.failing(since === null ? '' : dayText(since, language))
      : words.states[status];
  return (
    <>
      <div class="endpoint" data-status={status}>
        <code class="endpoint__url" dir="ltr">
          {url}
        </code>
        <Badge
          tone={status === 'disabled' && error === null ? 'calm' : TONES[status]}
          testId="endpoint-status"
        >
          {state}
        </Badge>
      </div>
      {error === null ? null : (
        <p class="attempt__error" data-testid="endpoint-error">
          {error}
        </p>
      )}
      {next === null ? null : (
        <p class="quiet" data-testid="endpoint-next">
          {texts.event.nextAttempt} <Moment at={next} language={language} />
        </p>
      )}
    </>
  );
}

function EndpointActions({ endpoint, onChanged }: CardProps) {
  const { api, texts } = useSignedInAccount();
  const words = texts.webhooks;
  const submit = useSubmit<WebhookEndpointView>();
  const act = async (call: Parameters<typeof submit.send>[0]) => {
    if ((await submit.send(call)) !== null) await onChanged();
  };
  const isDisabled = endpoint.status === 'disabled';
  return (
    <>
      <ProblemNotice problem={submit.problem} />
      <button
        type="button"
        class="button button--small"
        aria-disabled={submit.isBusy}
        data-testid={isDisabled ? 'endpoint-enable' : 'endpoint-disable'}
        onClick={() => void act(() => api.updateEndpoint(endpoint.id, { disabled: !isDisabled }))}
      >
        {isDisabled ? words.enable : words.disable}
      </button>
      <ConfirmButton
        question={words.deleteAsk(endpoint.url)}
        detail={words.deleteDetail}
        testId="endpoint-delete"
        onConfirm={() => void act(() => api.deleteEndpoint(endpoint.id))}
      >
        {words.remove}
      </ConfirmButton>
    </>
  );
}
