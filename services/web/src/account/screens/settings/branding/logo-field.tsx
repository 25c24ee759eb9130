import type { UploadView } from '@paywatch/domain/contract';
import { useSubmit } from '../../../api/use-submit.ts';
import { useSignedInAccount } from '../../../app/account-context.ts';
import { Field, ProblemNotice } from '../../../parts/form/form.tsx';
import type { BrandingTexts } from './branding-texts.ts';

const TYPES = 'image/png,image/jpeg,image/webp,image/gif';

type LogoFieldProps = {
  logo: string | null;
  error: string | undefined;
  words: BrandingTexts;
  onLogo: (logo: string | null) => void;
};

/** The logo. It is uploaded when it is chosen, and used once the form is saved. */
export function LogoField({ logo, error, words, onLogo }: LogoFieldProps) {
  const { api } = useSignedInAccount();
  const upload = useSubmit<UploadView>();
  const send = async (file: File | undefined) => {
    if (file === undefined) return;
    const uploaded = await upload.send(() => api.createUpload('logo', file));
    if (uploaded !== null) onLogo(uploaded.id);
  };
  return (
    <>
      <ProblemNotice problem={upload.problem} />
      <Field id="logo" label={words.logo} hint={words.logoHint} error={error} isOptional>
        {logo === null ? null : (
          <img class="logo-sample" src={`/v1/public/uploads/${logo}`} alt="" data-testid="logo-sample" />
        )}
        <input
          type="file"
          class="input"
          id="logo"
          accept={TYPES}
          aria-describedby="logo-note"
          data-testid="logo-file"
          onChange={(event) => void send(event.currentTarget.files?.[0])}
        />
      </Field>
      {logo === null ? null : (
        <button
          type="button"
          class="button button--small"
          data-testid="remove-logo"
          onClick={() => onLogo(null)}
        >
          {words.removeLogo}
        </button>
      )}
    </>
  );
}
