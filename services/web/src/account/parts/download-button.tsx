import type { ComponentChildren } from 'preact';
import type { ApiResult } from '../api/api-call.ts';
import { useSubmit } from '../api/use-submit.ts';
import { ProblemNotice } from './form/form.tsx';

type DownloadProps = {
  /** The name of the file. */
  name: string;
  load: () => Promise<ApiResult<Blob>>;
  testId: string;
  children: ComponentChildren;
};

/** A button that downloads a file with the credentials of the session. */
export function DownloadButton({ name, load, testId, children }: DownloadProps) {
  const submit = useSubmit<Blob>();
  const download = async () => {
    const file = await submit.send(load);
    if (file !== null) save(file, name);
  };
  return (
    <>
      <ProblemNotice problem={submit.problem} />
      <button
        type="button"
        class="button button--small"
        aria-disabled={submit.isBusy}
        data-testid={testId}
        onClick={() => void download()}
      >
        {children}
      </button>
    </>
  );
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // Some browsers read the file only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
