import type { UploadView } from '@paywatch/domain/contract';
import { useSubmit } from '../../../api/use-submit.ts';
import { useSignedInAccount } from '../../../app/account-context.ts';
import { Field, ProblemNotice } from '../../../parts/form/form.tsx';
import type { PagePartProps } from './page-form.tsx';

const TYPES = 'image/png,image/jpeg,image/webp,image/gif';

/** The picture of the owner. It is uploaded when it is chosen, and used once the form is saved. */
export function PictureField({ draft: { picture }, words, errorAt, onChange }: PagePartProps) {
  const { api } = useSignedInAccount();
  const upload = useSubmit<UploadView>();
  const send = async (file: File | undefined) => {
    if (file === undefined) return;
    const uploaded = await upload.send(() => api.createUpload('image', file));
    if (uploaded !== null) onChange({ picture: uploaded.id });
  };
  return (
    <>
      <ProblemNotice problem={upload.problem} />
      <Field
        id="picture"
        label={words.picture}
        hint={words.pictureHint}
        error={errorAt('picture')}
        isOptional
      >
        {picture === null ? null : (
          <img
            class="picture-sample"
            src={`/v1/public/uploads/${picture}`}
            alt=""
            width={96}
            height={96}
            data-testid="picture-sample"
          />
        )}
        <input
          type="file"
          class="input"
          id="picture"
          accept={TYPES}
          aria-describedby="picture-note"
          data-testid="picture"
          onChange={(event) => void send(event.currentTarget.files?.[0])}
        />
      </Field>
      {picture === null ? null : (
        <button
          type="button"
          class="button button--small"
          data-testid="remove-picture"
          onClick={() => onChange({ picture: null })}
        >
          {words.removePicture}
        </button>
      )}
    </>
  );
}
