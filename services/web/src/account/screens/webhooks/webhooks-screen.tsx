import type { EventType } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { utcText } from '../../../ui/moment.tsx';
import { dayText } from '../../app/day-text.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { EndpointState } from './endpoint-state.tsx';
import { EventTable } from '../events/event-table.tsx';
import { EVENT_TYPES } from '../events/event-types.ts';
import { Select } from '../../parts/form.tsx';
import { LoadMoreButton } from '../../parts/load-more-button.tsx';
import { Empty, Panel, Screen, WhenLoaded } from '../../parts/panel.tsx';
import { TestEvent } from '../events/test-event.tsx';
import { usePages } from '../../api/use-pages.ts';
import { RotateSecret } from './rotate-secret.tsx';
import { WebhookForm } from './webhook-form.tsx';

/** The endpoint, a test event, and the list of events. */
export function WebhooksScreen() {
  const { api, texts, me, router, language } = useSignedInAccount();
  const publicId = router.query.get('public_id') ?? '';
  const [type, setType] = useState<EventType | ''>('');
  const events = usePages(
    (cursor) => api.listEvents({ type, public_id: publicId, cursor }),
    [api, type, publicId],
  );
  const words = texts.webhooks;
  const { webhook } = me.project;
  return (
    <Screen title={words.heading} testId="webhooks">
      <Panel title={words.endpoint}>
        {webhook === null ? null : (
          <>
            <EndpointState webhook={webhook} />
            <p class="quiet" title={utcText(webhook.created_at)}>
              {words.setOn(dayText(webhook.created_at, language))}
            </p>
            <RotateSecret webhook={webhook} />
          </>
        )}
        <EndpointForm />
      </Panel>
      {webhook === null ? null : (
        <Panel title={words.test}>
          <TestEvent onSent={() => void events.reload()} />
        </Panel>
      )}
      <Panel title={publicId === '' ? words.log : words.ofInvoice(publicId)}>
        <Select
          id="type"
          label={words.testType}
          value={type}
          options={[
            ['', words.allTypes],
            ...EVENT_TYPES.map((known) => [known, texts.events[known]] as const),
          ]}
          onValue={setType}
        />
        <WhenLoaded loaded={events}>
          {(data) => (data.length === 0 ? <Empty>{words.empty}</Empty> : <EventTable events={data} />)}
        </WhenLoaded>
        <LoadMoreButton pages={events} />
      </Panel>
    </Screen>
  );
}

/** The endpoint form, collapsed if an endpoint is already set. */
function EndpointForm() {
  const { texts, me } = useSignedInAccount();
  // The state when the screen was opened: collapsing the form after setting an endpoint would hide its secret.
  const [isSet] = useState(me.project.webhook !== null);
  if (!isSet) return <WebhookForm />;
  return (
    <details class="more" data-testid="webhook-other">
      <summary>{texts.webhooks.other}</summary>
      <WebhookForm />
    </details>
  );
}
