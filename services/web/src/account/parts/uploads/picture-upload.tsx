import type { UploadKind, UploadView } from '@paywatch/domain/contract';
import { useSubmit } from '../../api/use-submit.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Field, ProblemNotice } from '../form/form.tsx';

const TYPES = 'image/png,image/jpeg,image/webp,image/gif';

type PictureUploadProps = {
  /** Of the input; unique on the screen. */
  id: string;
  kind: UploadKind;
  /** The id of the chosen upload. */
  upload: string | null;
  words: { label: string; hint: string; remove: string };
  error: string | undefined;
  onUpload: (id: string | null) => void;
};

/** A picture of the owner. It is uploaded when it is chosen, and used once its form is saved. */
export function PictureUpload({ id, kind, upload, words, error, onUpload }: PictureUploadProps) {
  const { api } = useSignedInAccount();
  const request = useSubmit<UploadView>();
  const send = async (input: HTMLInputElement) => {
    const file = input.files?.[0];
    if (file === undefined) return;
    // So that the same file can be chosen again.
    input.value = '';
    const uploaded = await request.send(() => api.createUpload(kind, file));
    if (uploaded !== null) onUpload(uploaded.id);
  };
  return (
    <>
      <ProblemNotice problem={request.problem} />
      <Field id={id} label={words.label} hint={words.hint} error={error} isOptional>
        {upload === null ? null : (
          <img
            class={`${kind}-sample`}
            src={`/v1/public/uploads/${upload}`}
            alt=""
            data-testid={`${id}-sample`}
          />
        )}
        <input
          type="file"
          class="input"
          id={id}
          accept={TYPES}
          aria-describedby={`${id}-note`}
          data-testid={id}
          disabled={request.isBusy}
          onChange={(event) => void send(event.currentTarget)}
        />
      </Field>
      {upload === null ? null : (
        <button
          type="button"
          class="button button--small"
          data-testid={`remove-${id}`}
          onClick={() => onUpload(null)}
        >
          {words.remove}
        </button>
      )}
    </>
  );
}
