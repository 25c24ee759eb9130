import type { AttemptView } from '@paywatch/domain/contract';
import { Moment } from '../../../ui/moment.tsx';
import { useSignedInAccount } from '../../app/account-context.ts';
import { DeliveryBadge } from '../../parts/badge.tsx';
import { WhenLoaded } from '../../parts/panel.tsx';
import { useInterval, useLoad } from '../../api/use-load.ts';

const REFRESH_MS = 1500;

/** The delivery status of an event, polled while it is pending. */
export function EventOutcome({ id }: { id: string }) {
  const { api, texts, language } = useSignedInAccount();
  const event = useLoad(() => api.getEvent(id), [id]);
  useInterval(REFRESH_MS, event.value?.delivery.status === 'pending', event.reload);
  return (
    <WhenLoaded loaded={event}>
      {({ delivery, attempts }) => (
        <div class="event-outcome" role="status" data-testid="event-outcome">
          <p>
            <DeliveryBadge status={delivery.status} />{' '}
            <a class="link" href={`/account/webhooks/${id}`} data-testid="event-link">
              {texts.webhooks.attempts(delivery.attempt_count)}
            </a>
          </p>
          {attempts.length === 0 ? null : <AttemptLine attempt={attempts.at(-1)} />}
          {delivery.next_attempt_at === null ? null : (
            <p class="quiet">
              {texts.event.nextAttempt} <Moment at={delivery.next_attempt_at} language={language} />
            </p>
          )}
        </div>
      )}
    </WhenLoaded>
  );
}

/** The result of a delivery attempt in one line. */
export function AttemptLine({ attempt }: { attempt: AttemptView | undefined }) {
  const words = useSignedInAccount().texts.event;
  if (attempt === undefined) return null;
  const { response_status: status, duration_ms: durationMs, error } = attempt;
  return (
    <p class="attempt">
      <strong>{status === null ? words.noAnswer : words.answered(status)}</strong>{' '}
      <span class="quiet">{words.took(durationMs)}</span>
      {error === null ? null : <span class="attempt__error"> {error}</span>}
    </p>
  );
}
