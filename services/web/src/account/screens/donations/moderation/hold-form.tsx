import type { HoldMode, Moderation } from '@paywatch/domain/contract';
import { SETTING_LIMITS } from '@paywatch/domain/limits';
import { useState } from 'preact/hooks';
import { Notice } from '../../../../ui/notice.tsx';
import { useSubmit } from '../../../api/use-submit.ts';
import { useSignedInAccount } from '../../../app/account-context.ts';
import { ProblemNotice, Select } from '../../../parts/form/form.tsx';
import type { ModerationTexts } from './moderation-texts.ts';

const MODES = ['none', 'links_and_words', 'first_time', 'all'] as const satisfies readonly HoldMode[];

/** Chooses which donations are held. */
export function HoldForm({ loaded, words }: { loaded: Moderation; words: ModerationTexts }) {
  const { api } = useSignedInAccount();
  const [hold, setHold] = useState(loaded.hold);
  const [ownWords, setOwnWords] = useState(loaded.words.join('\n'));
  const saving = useSubmit<Moderation>();
  const save = () => saving.send(() => api.updateModeration({ hold, words: wordsIn(ownWords) }));
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Select
        id="hold"
        label={words.hold}
        value={hold}
        options={MODES.map((mode) => [mode, words.modes[mode]] as const)}
        onValue={setHold}
      />
      {hold === 'first_time' ? <p class="quiet">{words.firstTimeHint}</p> : null}
      {hold === 'links_and_words' ? <WordsField text={ownWords} words={words} onText={setOwnWords} /> : null}
      <ProblemNotice problem={saving.problem} />
      {saving.value === null ? null : (
        <Notice tone="calm" icon="check" testId="moderation-saved">
          {words.saved}
        </Notice>
      )}
      <button type="submit" class="button" aria-disabled={saving.isBusy} data-testid="save-moderation">
        {words.save}
      </button>
    </form>
  );
}

type WordsFieldProps = { text: string; words: ModerationTexts; onText: (text: string) => void };

function WordsField({ text, words, onText }: WordsFieldProps) {
  return (
    <div class="field">
      <label class="label" for="words">
        {words.words}
      </label>
      <textarea
        id="words"
        class="input"
        rows={4}
        value={text}
        aria-describedby="words-hint"
        onInput={(event) => onText(event.currentTarget.value)}
      />
      <p class="quiet" id="words-hint">
        {words.wordsHint}
      </p>
    </div>
  );
}

/** Pure. */
function wordsIn(text: string): string[] {
  const { words, word } = SETTING_LIMITS.moderation;
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line.length >= word.minLength))].slice(0, words.maxItems);
}
