import type { DonationPage } from '@paywatch/domain/contract';
import { SETTING_LIMITS } from '@paywatch/domain/limits';
import { useState } from 'preact/hooks';
import { Notice } from '../../../../ui/notice.tsx';
import { useSubmit } from '../../../api/use-submit.ts';
import { useSignedInAccount } from '../../../app/account-context.ts';
import { AccentField } from '../../../parts/form/accent-field.tsx';
import { Checkbox, Field, Form, SubmitButton, TextInput } from '../../../parts/form/form.tsx';
import { PictureUpload } from '../../../parts/uploads/picture-upload.tsx';
import { LinkList } from './link-list.tsx';
import { pageDraft, readPageDraft, type InvalidField, type PageDraft } from './page-draft.ts';
import type { PageTexts } from './page-texts.ts';
import { SuggestionFields } from './suggestion-fields.tsx';

/** What each part of the form gets. `errorAt` finds the error of the API or the draft for a field, such as `links.0.url`. */
export type PagePartProps = {
  draft: PageDraft;
  words: PageTexts;
  invalid: readonly InvalidField[];
  errorAt: (field: string) => string | undefined;
  onChange: (change: Partial<PageDraft>) => void;
};

/** The form of the donation page. What is invalid is marked when it is saved. */
export function PageForm({ loaded, words }: { loaded: DonationPage; words: PageTexts }) {
  const { api } = useSignedInAccount();
  const [draft, setDraft] = useState(() => pageDraft(loaded));
  const [invalid, setInvalid] = useState<readonly InvalidField[]>([]);
  const saving = useSubmit<DonationPage>();
  const save = async () => {
    const read = readPageDraft(draft);
    setInvalid('invalid' in read ? read.invalid : []);
    if ('invalid' in read) return;
    const saved = await saving.send(() => api.updateDonationPage(read.change));
    if (saved !== null) setDraft(pageDraft(saved));
  };
  const change = (part: Partial<PageDraft>) => {
    setDraft((before) => ({ ...before, ...part }));
    setInvalid((before) => before.filter((field) => !(field in part)));
  };
  const errorAt = (field: string) =>
    saving.problem?.errors.find(({ path }) => path === `body.${field}`)?.message;
  const part = { draft, words, invalid, errorAt, onChange: change };
  return (
    <Form
      onSubmit={() => void save()}
      problem={saving.problem}
      hasInputError={invalid.length > 0}
      testId="donation-page-form"
    >
      <PictureUpload
        id="picture"
        kind="image"
        upload={draft.picture}
        words={{ label: words.picture, hint: words.pictureHint, remove: words.removePicture }}
        error={errorAt('picture')}
        onUpload={(picture) => change({ picture })}
      />
      <AccentField accent={draft.accent} words={words} onAccent={(accent) => change({ accent })} />
      <TextField {...part} />
      <LinkList {...part} />
      <SuggestionFields {...part} />
      <MinimumFields {...part} />
      <ShownFields {...part} />
      {saving.value === null || invalid.length > 0 ? null : (
        <Notice tone="calm" icon="check" testId="donation-page-saved">
          {words.saved}
        </Notice>
      )}
      <SubmitButton isBusy={saving.isBusy} testId="save-donation-page">
        {words.save}
      </SubmitButton>
    </Form>
  );
}

function TextField({ draft, words, errorAt, onChange }: PagePartProps) {
  const { maxLength } = SETTING_LIMITS.donationPage.text;
  return (
    <Field
      id="page_text"
      label={words.text}
      hint={words.textLimit(maxLength)}
      error={errorAt('text')}
      isOptional
    >
      <textarea
        class="input"
        id="page_text"
        rows={3}
        dir="auto"
        value={draft.text}
        aria-describedby="page_text-note"
        data-testid="page_text"
        onInput={(event) => onChange({ text: event.currentTarget.value })}
      />
    </Field>
  );
}

function ShownFields({ draft, words, onChange }: PagePartProps) {
  return (
    <>
      <Checkbox
        id="show_goal"
        label={words.showGoal}
        isChecked={draft.showGoal}
        onValue={(showGoal) => onChange({ showGoal })}
      />
      <Checkbox
        id="show_latest"
        label={words.showLatest}
        isChecked={draft.showLatest}
        onValue={(showLatest) => onChange({ showLatest })}
      />
    </>
  );
}

function MinimumFields({ draft, words, invalid, onChange }: PagePartProps) {
  return (
    <>
      <TextInput
        id="min_message_btc"
        label={words.minimum('BTC')}
        isOptional
        isMono
        value={draft.minBtc}
        error={invalid.includes('minBtc') ? words.amountError : undefined}
        onValue={(minBtc) => onChange({ minBtc })}
      />
      <TextInput
        id="min_message_ltc"
        label={words.minimum('LTC')}
        hint={words.minimumHint}
        isOptional
        isMono
        value={draft.minLtc}
        error={invalid.includes('minLtc') ? words.amountError : undefined}
        onValue={(minLtc) => onChange({ minLtc })}
      />
    </>
  );
}
