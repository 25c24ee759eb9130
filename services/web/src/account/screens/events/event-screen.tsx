import type { AttemptView, EventDetail, EventView } from '@paywatch/domain/contract';
import { Moment } from '../../../ui/moment.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useSignedInAccount } from '../../app/account-context.ts';
import { AttemptLine } from './event-outcome.tsx';
import { Badge, DeliveryBadge } from '../../parts/badge.tsx';
import { Fact, Facts } from '../../parts/facts.tsx';
import { ProblemNotice } from '../../parts/form/form.tsx';
import { May } from '../../parts/may.tsx';
import { Empty, Panel, Screen, WhenLoaded } from '../../parts/panel.tsx';
import { useInterval, useLoad } from '../../api/use-load.ts';
import { useSubmit } from '../../api/use-submit.ts';

const REFRESH_MS = 3000;

/** One event: its payload, delivery attempts, and a button to redeliver it. */
export function EventScreen({ id }: { id: string }) {
  const { api, texts } = useSignedInAccount();
  const event = useLoad(() => api.getEvent(id), [api, id]);
  const redelivery = useSubmit<EventView>();
  useInterval(REFRESH_MS, event.value?.delivery.status === 'pending', event.reload);
  const redeliver = async () => {
    if ((await redelivery.send(() => api.redeliverEvent(id))) !== null) await event.reload();
  };
  const action = (
    <May call="redeliverEvent">
      <button
        type="button"
        class="button button--small"
        aria-disabled={redelivery.isBusy}
        data-testid="redeliver"
        onClick={() => void redeliver()}
      >
        {texts.event.redeliver}
      </button>
    </May>
  );
  return (
    <Screen title={texts.event.heading} id={id} actions={action} testId="event">
      <ProblemNotice problem={redelivery.problem} />
      {redelivery.value === null ? null : (
        <Notice tone="calm" icon="check" testId="redelivered">
          {texts.event.redelivered}
        </Notice>
      )}
      <WhenLoaded loaded={event}>{(detail) => <EventDetails event={detail} />}</WhenLoaded>
    </Screen>
  );
}

function EventDetails({ event }: { event: EventDetail }) {
  const { texts, language } = useSignedInAccount();
  const words = texts.webhooks;
  return (
    <>
      <Panel>
        <Facts>
          <Fact label={words.columns.event}>
            {texts.events[event.type]} {event.test ? <Badge tone="calm">{words.testBadge}</Badge> : null}
          </Fact>
          <Fact label={words.columns.time}>
            <Moment at={event.created_at} language={language} />
          </Fact>
          <Fact label={words.columns.invoice}>
            {event.test ? (
              <code dir="ltr">{event.public_id}</code>
            ) : (
              <a class="link" href={`/account/invoices/${event.public_id}`}>
                <code dir="ltr">{event.public_id}</code>
              </a>
            )}
          </Fact>
          <Fact label={words.columns.delivery}>
            <DeliveryBadge status={event.delivery.status} />
          </Fact>
          {event.delivery.next_attempt_at === null ? null : (
            <Fact label={texts.event.nextAttempt}>
              <Moment at={event.delivery.next_attempt_at} language={language} />
            </Fact>
          )}
        </Facts>
      </Panel>
      <Panel title={texts.event.attemptList} testId="attempts">
        {event.attempts.length === 0 ? <Empty>{texts.event.noAttempts}</Empty> : null}
        <ol class="lines">
          {event.attempts.toReversed().map((attempt) => (
            <Attempt key={attempt.attempted_at} attempt={attempt} />
          ))}
        </ol>
      </Panel>
      <Panel title={texts.event.payload}>
        <pre class="source" dir="ltr" translate={false} tabIndex={0} data-testid="event-body">
          <code>{JSON.stringify(event.body, null, 2)}</code>
        </pre>
      </Panel>
    </>
  );
}

function Attempt({ attempt }: { attempt: AttemptView }) {
  const { texts, language } = useSignedInAccount();
  const { response_body: body, url } = attempt;
  return (
    <li class="lines__block" data-testid="attempt">
      <p class="lines__line">
        <Moment at={attempt.attempted_at} language={language} />
        <code class="quiet" dir="ltr">
          {url}
        </code>
      </p>
      <AttemptLine attempt={attempt} />
      {body === null || body === '' ? null : (
        <details class="more">
          <summary>{texts.event.response}</summary>
          <pre class="source" dir="ltr" tabIndex={0}>
            <code>{body}</code>
          </pre>
        </details>
      )}
    </li>
  );
}
