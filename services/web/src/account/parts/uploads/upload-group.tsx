import type { UploadView } from '@paywatch/domain/contract';
import { useRef, useState } from 'preact/hooks';
import { Notice } from '../../../ui/notice.tsx';
import { problemMessage } from '../../api/problem-message.ts';
import { useSubmit } from '../../api/use-submit.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { ACCEPTED_FILES, fileSize, isFileTooLarge, kindOfFile } from './upload-file.ts';
import { UploadCard } from './upload-card.tsx';
import { UPLOAD_TEXTS } from './upload-texts.ts';

type UploadGroupProps = {
  uploads: readonly UploadView[];
  onUploads: (uploads: readonly UploadView[]) => void;
  /** The upload is deleted, also from the settings that the API keeps. */
  onDeleted: (id: string) => void;
};

/** Lists the uploaded pictures and sounds with a preview of each, adds files and deletes them. */
export function UploadGroup({ uploads, onUploads, onDeleted }: UploadGroupProps) {
  const { api, language } = useSignedInAccount();
  const words = UPLOAD_TEXTS[language];
  const request = useSubmit<UploadView>();
  const [tooLarge, setTooLarge] = useState<number | null>(null);
  const [added, setAdded] = useState<string | null>(null);
  const add = async (file: File) => {
    request.reset();
    setAdded(null);
    setTooLarge(isFileTooLarge(file.size) ? file.size : null);
    if (isFileTooLarge(file.size)) return;
    const upload = await request.send(() => api.createUpload(kindOfFile(file.name), file));
    if (upload === null) return;
    onUploads([upload, ...uploads]);
    setAdded(upload.name);
  };
  const remove = async ({ id }: UploadView) => {
    setAdded(null);
    if ((await request.send(() => api.deleteUpload(id))) === null) return;
    onUploads(uploads.filter((upload) => upload.id !== id));
    onDeleted(id);
  };
  return (
    <section class="uploads" data-testid="uploads">
      <p class="label">{words.heading}</p>
      <p class="quiet">{words.hint}</p>
      <UploadNotice {...{ request, tooLarge, added }} />
      {uploads.length === 0 ? null : (
        <ul class="uploads__list">
          {uploads.map((upload) => (
            <UploadCard key={upload.id} {...{ upload, words }} onRemove={() => void remove(upload)} />
          ))}
        </ul>
      )}
      <FileButton
        isBusy={request.isBusy}
        label={request.isBusy ? words.adding : words.add}
        onFile={(file) => void add(file)}
      />
    </section>
  );
}

type NoticeProps = {
  request: Pick<ReturnType<typeof useSubmit>, 'problem'>;
  tooLarge: number | null;
  added: string | null;
};

function UploadNotice({ request: { problem }, tooLarge, added }: NoticeProps) {
  const { texts, language } = useSignedInAccount();
  const words = UPLOAD_TEXTS[language];
  const own: Partial<Record<string, string>> = words.problems;
  const refusal =
    tooLarge !== null
      ? words.tooLarge(fileSize(tooLarge))
      : problem && (own[problem.code] ?? problemMessage(problem, texts));
  if (refusal !== null)
    return (
      <Notice tone="act" testId="upload-problem">
        {refusal}
      </Notice>
    );
  if (added === null) return null;
  return (
    <Notice tone="calm" icon="check" testId="upload-added">
      {words.added(added)}
    </Notice>
  );
}

type FileButtonProps = { label: string; isBusy: boolean; onFile: (file: File) => void };

/** A button that opens the file picker. Choosing the same file again counts, too. */
function FileButton({ label, isBusy, onFile }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        type="file"
        hidden
        ref={input}
        accept={ACCEPTED_FILES}
        data-testid="upload-file"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          currentTarget.value = '';
          if (file !== undefined) onFile(file);
        }}
      />
      <button
        type="button"
        class="button"
        aria-disabled={isBusy}
        data-testid="add-upload"
        onClick={() => (isBusy ? undefined : input.current?.click())}
      >
        {label}
      </button>
    </>
  );
}
