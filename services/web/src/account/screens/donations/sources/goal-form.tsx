import type { OverlaySources } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { Notice } from '../../../../ui/notice.tsx';
import type { ApiProblem } from '../../../api/api-call.ts';
import { useSubmit } from '../../../api/use-submit.ts';
import { useSignedInAccount } from '../../../app/account-context.ts';
import { Form, SubmitButton, TextInput } from '../../../parts/form/form.tsx';
import { sourceDraft, sourcesIn, type SourceDraft } from './source-draft.ts';
import type { SourceField, SourcesTexts } from './sources-texts.ts';

type Props = {
  loaded: OverlaySources;
  words: SourcesTexts;
  onSaved: (saved: OverlaySources) => void;
};

/** Sets the goal, and from when on the counter counts. */
export function GoalForm({ loaded, words, onSaved }: Props) {
  const { api } = useSignedInAccount();
  const [draft, setDraft] = useState(() => sourceDraft(loaded));
  const saving = useSubmit<OverlaySources>();
  const save = async () => {
    const saved = await saving.send(() => api.updateOverlaySources(sourcesIn(draft)));
    if (saved !== null) onSaved(saved);
  };
  const change = (part: Partial<SourceDraft>) => {
    saving.reset();
    setDraft((before) => ({ ...before, ...part }));
  };
  return (
    <Form testId="goal-form" problem={saving.problem} onSubmit={() => void save()}>
      <GoalFields draft={draft} words={words} problem={saving.problem} change={change} />
      <TextInput
        id="counter-since"
        label={words.counterSince}
        hint={words.sinceHint}
        type="date"
        isOptional
        value={draft.counterSince}
        error={sourceError(saving.problem, 'counter_since', words)}
        onValue={(counterSince) => change({ counterSince })}
      />
      {saving.value === null ? null : (
        <Notice tone="calm" icon="check" testId="goal-saved">
          {words.saved}
        </Notice>
      )}
      <SubmitButton isBusy={saving.isBusy} testId="goal-save">
        {words.save}
      </SubmitButton>
    </Form>
  );
}

type FieldsProps = {
  draft: SourceDraft;
  words: SourcesTexts;
  problem: ApiProblem | null;
  change: (part: Partial<SourceDraft>) => void;
};

function GoalFields({ draft, words, problem, change }: FieldsProps) {
  const error = (field: SourceField) => sourceError(problem, field, words);
  return (
    <>
      <TextInput
        id="goal-target"
        label={words.target}
        hint={words.targetHint}
        isOptional
        isMono
        value={draft.target}
        error={error('target')}
        onValue={(target) => change({ target })}
      />
      <TextInput
        id="goal-unit"
        label={words.unit}
        hint={words.unitHint}
        isMono
        value={draft.unit}
        error={error('unit')}
        onValue={(unit) => change({ unit })}
      />
      <TextInput
        id="goal-title"
        label={words.title}
        isOptional
        value={draft.title}
        error={error('title')}
        onValue={(title) => change({ title })}
      />
      <TextInput
        id="goal-since"
        label={words.since}
        hint={words.sinceHint}
        type="date"
        isOptional
        value={draft.since}
        error={error('since')}
        onValue={(since) => change({ since })}
      />
      <TextInput
        id="goal-added"
        label={words.added}
        hint={words.addedHint}
        isOptional
        isMono
        value={draft.added}
        error={error('added')}
        onValue={(added) => change({ added })}
      />
    </>
  );
}

/** Why the API refused a setting. */
function sourceError(
  problem: ApiProblem | null,
  field: SourceField,
  words: SourcesTexts,
): string | undefined {
  const path = field === 'counter_since' ? 'body.counter_since' : `body.goal.${field}`;
  const found = problem?.errors.find((error) => error.path === path);
  return found && words.fieldError(field, found.message);
}
