import type { Branding } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { Notice } from '../../../../ui/notice.tsx';
import { useSubmit } from '../../../api/use-submit.ts';
import { fieldError } from '../../../api/problem-message.ts';
import { useSignedInAccount } from '../../../app/account-context.ts';
import { AccentField } from '../../../parts/form/accent-field.tsx';
import { Form, SubmitButton, TextInput } from '../../../parts/form/form.tsx';
import { PictureUpload } from '../../../parts/uploads/picture-upload.tsx';
import { brandingChange, brandingDraft, type BrandingDraft } from './branding-draft.ts';
import type { BrandingTexts } from './branding-texts.ts';

/** The form of the branding. */
export function BrandingForm({ loaded, words }: { loaded: Branding; words: BrandingTexts }) {
  const { api, texts } = useSignedInAccount();
  const [draft, setDraft] = useState(() => brandingDraft(loaded));
  const saving = useSubmit<Branding>();
  const save = async () => {
    const saved = await saving.send(() => api.updateBranding(brandingChange(draft)));
    if (saved !== null) setDraft(brandingDraft(saved));
  };
  const change = (part: Partial<BrandingDraft>) => {
    setDraft((before) => ({ ...before, ...part }));
    saving.reset();
  };
  const errorOf = (field: string) => fieldError(saving.problem, field, texts);
  return (
    <Form testId="branding-form" problem={saving.problem} onSubmit={() => void save()}>
      <PictureUpload
        id="logo"
        kind="logo"
        upload={draft.logo}
        words={{ label: words.logo, hint: words.logoHint, remove: words.removeLogo }}
        error={errorOf('logo')}
        onUpload={(logo) => change({ logo })}
      />
      <AccentField accent={draft.accent} words={words} onAccent={(accent) => change({ accent })} />
      <TextInput
        id="terms_url"
        label={words.terms}
        hint={words.termsHint}
        isOptional
        value={draft.terms}
        error={errorOf('terms_url')}
        onValue={(terms) => change({ terms })}
      />
      <TextInput
        id="support_url"
        label={words.support}
        hint={words.supportHint}
        isOptional
        value={draft.support}
        error={errorOf('support_url')}
        onValue={(support) => change({ support })}
      />
      {saving.value === null ? null : (
        <Notice tone="calm" icon="check" testId="branding-saved">
          {words.saved}
        </Notice>
      )}
      <SubmitButton isBusy={saving.isBusy} testId="branding-save">
        {words.save}
      </SubmitButton>
    </Form>
  );
}
