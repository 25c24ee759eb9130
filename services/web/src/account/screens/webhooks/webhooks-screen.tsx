import type { EventType, WebhookEndpointList, WebhookEndpointView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import type { ApiResult } from '../../api/api-call.ts';
import { useInterval, useLoad } from '../../api/use-load.ts';
import { usePages } from '../../api/use-pages.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Select } from '../../parts/form/form.tsx';
import { LoadMoreButton } from '../../parts/load-more-button.tsx';
import { May, useMayCall } from '../../parts/may.tsx';
import { Empty, Panel, Screen, WhenLoaded } from '../../parts/panel.tsx';
import { EventTable } from '../events/event-table.tsx';
import { EVENT_TYPES } from '../events/event-types.ts';
import { TestEvent } from '../events/test-event.tsx';
import { EndpointCard } from './endpoint-card.tsx';
import { EndpointForm } from './endpoint-form.tsx';

const REFRESH_MS = 5000;

/** What those see whose role includes the events alone. */
const NO_ENDPOINTS: ApiResult<WebhookEndpointList> = { ok: true, value: { data: [] } };

/** The endpoints, a test event, and the list of events. */
export function WebhooksScreen() {
  const { api, texts, refresh } = useSignedInAccount();
  const mayList = useMayCall('listWebhookEndpoints');
  const loaded = useLoad(async () => (mayList ? await api.listEndpoints() : NO_ENDPOINTS), [api, mayList]);
  const endpoints = loaded.value?.data ?? [];
  useInterval(REFRESH_MS, endpoints.some(isChanging), loaded.reload);
  const onChanged = async () => void (await Promise.all([loaded.reload(), refresh()]));
  // The events are below the endpoints; shown earlier, they would move when the endpoints arrive.
  const isLoading = loaded.value === null && loaded.problem === null;
  return (
    <Screen title={texts.webhooks.heading} testId="webhooks">
      <May call="listWebhookEndpoints">
        <Panel title={texts.webhooks.endpoints} testId="endpoints">
          <WhenLoaded loaded={loaded}>
            {({ data }) => <Endpoints endpoints={data} onChanged={onChanged} />}
          </WhenLoaded>
        </Panel>
      </May>
      <div class="stack" hidden={isLoading}>
        <Events endpoints={endpoints} onSent={() => void loaded.reload()} />
      </div>
    </Screen>
  );
}

/** An attempt is due or was made a moment ago, so the status may change. */
function isChanging({ status, next_attempt_at: next }: WebhookEndpointView): boolean {
  return status === 'untested' || status === 'failing' || next !== null;
}

type EndpointsProps = { endpoints: readonly WebhookEndpointView[]; onChanged: () => Promise<void> };

function Endpoints({ endpoints, onChanged }: EndpointsProps) {
  const words = useSignedInAccount().texts.webhooks;
  // The state when the screen was opened: collapsing the form after adding an endpoint would hide its secret.
  const [isFirst] = useState(endpoints.length === 0);
  return (
    <>
      {endpoints.length === 0 ? <Empty testId="no-endpoint">{words.noEndpoint}</Empty> : null}
      <ul class="lines">
        {endpoints.map((endpoint) => (
          <EndpointCard key={endpoint.id} endpoint={endpoint} onChanged={onChanged} />
        ))}
      </ul>
      <May call="createWebhookEndpoint">
        {isFirst ? (
          <EndpointForm endpoint={null} onSaved={onChanged} />
        ) : (
          <details class="more" data-testid="endpoint-add">
            <summary>{words.addOther}</summary>
            <EndpointForm endpoint={null} onSaved={onChanged} />
          </details>
        )}
      </May>
    </>
  );
}

type EventsProps = { endpoints: readonly WebhookEndpointView[]; onSent: () => void };

/** A test event, and the events of all endpoints or of one. */
function Events({ endpoints, onSent }: EventsProps) {
  const { api, texts, router } = useSignedInAccount();
  const publicId = router.query.get('public_id') ?? '';
  const [type, setType] = useState<EventType | ''>('');
  const [chosen, setChosen] = useState('');
  // An endpoint that was deleted meanwhile is not chosen any more.
  const endpointId = endpoints.some(({ id }) => id === chosen) ? chosen : '';
  const events = usePages(
    (cursor) => api.listEvents({ type, public_id: publicId, endpoint_id: endpointId, cursor }),
    [api, type, publicId, endpointId],
  );
  const words = texts.webhooks;
  const choices = endpoints.map(({ id, url, description }) => [id, description ?? url] as const);
  const sent = () => {
    void events.reload();
    onSent();
  };
  return (
    <>
      {endpoints.length === 0 ? null : (
        <May call="testWebhook">
          <Panel title={words.test}>
            <TestEvent endpoints={choices} onSent={sent} />
          </Panel>
        </May>
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
        {choices.length < 2 ? null : (
          <Select
            id="endpoint"
            label={words.endpoint}
            value={endpointId}
            options={[['', words.allEndpoints], ...choices]}
            onValue={setChosen}
          />
        )}
        <WhenLoaded loaded={events}>
          {(data) => (data.length === 0 ? <Empty>{words.empty}</Empty> : <EventTable events={data} />)}
        </WhenLoaded>
        <LoadMoreButton pages={events} />
      </Panel>
    </>
  );
}
