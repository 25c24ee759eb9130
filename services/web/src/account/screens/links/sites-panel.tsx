import type { ProjectView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { describedBy } from '../../../ui/described-by.ts';
import { Notice } from '../../../ui/notice.tsx';
import { useSubmit } from '../../api/use-submit.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Field, Form, SubmitButton } from '../../parts/form/form.tsx';
import { Panel } from '../../parts/panel.tsx';
import { sitesIn } from './button-code.ts';
import { LINKS_TEXTS } from './links-texts.ts';

/** The sites that may show the project's payment pages in a modal. */
export function SitesPanel() {
  const { language } = useSignedInAccount();
  const words = LINKS_TEXTS[language];
  return (
    <Panel title={words.sites} testId="sites">
      <p class="quiet">{words.sitesDetail}</p>
      <SitesForm />
    </Panel>
  );
}

function SitesForm() {
  const { api, texts, language, me, refresh } = useSignedInAccount();
  const words = LINKS_TEXTS[language];
  const [typed, setTyped] = useState(me.project.embed_sites.join('\n'));
  const submit = useSubmit<ProjectView>();
  const isRefused = submit.problem?.errors.some(({ path }) => path.startsWith('body.embed_sites')) ?? false;
  const error = isRefused ? words.sitesRefused : undefined;
  const save = async () => {
    const saved = await submit.send(() => api.updateProject({ embed_sites: sitesIn(typed) }));
    if (saved === null) return;
    setTyped(saved.embed_sites.join('\n'));
    await refresh();
  };
  return (
    <Form testId="sites-form" problem={submit.problem} onSubmit={() => void save()}>
      <Field id="embed_sites" label={words.sitesLabel} hint={words.sitesHint} error={error}>
        <textarea
          class="input mono"
          id="embed_sites"
          name="embed_sites"
          rows={3}
          dir="ltr"
          value={typed}
          autocapitalize="none"
          spellcheck={false}
          data-testid="embed_sites"
          {...describedBy('embed_sites', error)}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            submit.reset();
          }}
        />
      </Field>
      {submit.value === null ? null : (
        <Notice tone="calm" icon="check" testId="sites-saved">
          {texts.common.saved}
        </Notice>
      )}
      <SubmitButton isBusy={submit.isBusy} testId="sites-save">
        {texts.common.save}
      </SubmitButton>
    </Form>
  );
}
