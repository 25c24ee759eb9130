import type { EventType, EventView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { useSignedInAccount } from '../../app/account-context.ts';
import { EVENT_TYPES } from './event-types.ts';
import { EventOutcome } from './event-outcome.tsx';
import { Form, Select, SubmitButton } from '../../parts/form/form.tsx';
import { useSubmit } from '../../api/use-submit.ts';

type TestEventProps = {
  /** Ids and names of the endpoints to choose from; by default the first endpoint of the project. */
  endpoints?: readonly (readonly [id: string, name: string])[];
  onSent?: () => void;
};

/** Sends a test event through the regular delivery and shows the result. */
export function TestEvent({ endpoints = [], onSent }: TestEventProps) {
  const { api, texts } = useSignedInAccount();
  const [type, setType] = useState<EventType>('invoice.confirmed');
  const [chosen, setChosen] = useState('');
  // An endpoint that was deleted meanwhile is not chosen any more.
  const [endpointId] = endpoints.find(([id]) => id === chosen) ?? endpoints[0] ?? [];
  const submit = useSubmit<EventView>();
  const send = async () => {
    if ((await submit.send(() => api.testWebhook(type, endpointId))) !== null) onSent?.();
  };
  return (
    <>
      <Form testId="test-event-form" problem={submit.problem} onSubmit={() => void send()}>
        <Select
          id="test-type"
          label={texts.webhooks.testType}
          value={type}
          options={EVENT_TYPES.map((known) => [known, texts.events[known]] as const)}
          onValue={setType}
        />
        {endpointId === undefined || endpoints.length < 2 ? null : (
          <Select
            id="test-endpoint"
            label={texts.webhooks.endpoint}
            value={endpointId}
            options={endpoints}
            onValue={setChosen}
          />
        )}
        <SubmitButton isBusy={submit.isBusy} testId="test-event-send">
          {texts.webhooks.testSend}
        </SubmitButton>
      </Form>
      {submit.value === null ? null : <EventOutcome key={submit.value.id} id={submit.value.id} />}
    </>
  );
}
