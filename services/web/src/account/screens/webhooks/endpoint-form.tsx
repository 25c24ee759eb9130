import type {
  CreateWebhookEndpointInput,
  EventType,
  NewWebhookEndpointView,
  WebhookEndpointView,
} from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { fieldError } from '../../api/problem-message.ts';
import { useSubmit } from '../../api/use-submit.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Checkbox, Form, SubmitButton, TextInput } from '../../parts/form/form.tsx';
import { SecretBox } from '../../parts/secret-box.tsx';
import { EVENT_TYPES } from '../events/event-types.ts';

type Draft = { url: string; description: string; types: readonly EventType[] };
type FormProps = { endpoint: WebhookEndpointView | null; onSaved: () => Promise<void> };

/** Adds an endpoint and shows its secret once, or changes one. */
export function EndpointForm({ endpoint, onSaved }: FormProps) {
  const { api, texts } = useSignedInAccount();
  const [draft, setDraft] = useState(draftOf(endpoint));
  const submit = useSubmit<NewWebhookEndpointView | WebhookEndpointView>();
  const words = texts.webhooks;
  const name = (field: string) => `${field}_${endpoint?.id ?? 'new'}`;
  const save = async () => {
    const body = requestOf(draft);
    const sent = await submit.send(() =>
      endpoint === null ? api.createEndpoint(body) : api.updateEndpoint(endpoint.id, body),
    );
    if (sent !== null) await onSaved();
  };
  if (submit.value !== null && 'secret' in submit.value)
    return (
      <SecretBox
        label={words.secret}
        value={submit.value.secret}
        hint={words.secretHint}
        testId="endpoint-secret"
      />
    );
  return (
    <Form testId={name('endpoint-form')} problem={submit.problem} onSubmit={() => void save()}>
      <TextInput
        id={name('url')}
        label={words.url}
        hint={words.urlHint}
        type="url"
        isMono
        value={draft.url}
        error={fieldError(submit.problem, 'url', texts)}
        onValue={(url) => setDraft({ ...draft, url })}
      />
      <TextInput
        id={name('description')}
        label={words.description}
        isOptional
        value={draft.description}
        error={fieldError(submit.problem, 'description', texts)}
        onValue={(description) => setDraft({ ...draft, description })}
      />
      <EventTypes
        name={name}
        chosen={draft.types}
        error={fieldError(submit.problem, 'event_types', texts)}
        onChange={(types) => setDraft({ ...draft, types })}
      />
      <SubmitButton isBusy={submit.isBusy} testId={name('endpoint-save')}>
        {endpoint === null ? words.add : words.save}
      </SubmitButton>
    </Form>
  );
}

type TypesProps = {
  name: (field: string) => string;
  chosen: readonly EventType[];
  error: string | undefined;
  onChange: (types: readonly EventType[]) => void;
};

function EventTypes({ name, chosen, error, onChange }: TypesProps) {
  const { texts } = useSignedInAccount();
  return (
    <fieldset class="choices">
      <legend class="label">{texts.webhooks.wanted}</legend>
      {EVENT_TYPES.map((type) => (
        <Checkbox
          key={type}
          id={name(type)}
          label={texts.events[type]}
          isChecked={chosen.includes(type)}
          onValue={(isChecked) =>
            onChange(isChecked ? [...chosen, type] : chosen.filter((each) => each !== type))
          }
        />
      ))}
      {error === undefined ? null : <span class="field-error">{error}</span>}
    </fieldset>
  );
}

function draftOf(endpoint: WebhookEndpointView | null): Draft {
  return {
    url: endpoint?.url ?? '',
    description: endpoint?.description ?? '',
    types: endpoint?.event_types ?? EVENT_TYPES,
  };
}

/** All types are sent as null, so that types that may be added later are wanted as well. */
function requestOf({ url, description, types }: Draft) {
  const isAll = EVENT_TYPES.every((type) => types.includes(type));
  return {
    url: url.trim(),
    description,
    event_types: isAll ? null : [...types],
  } satisfies CreateWebhookEndpointInput;
}
