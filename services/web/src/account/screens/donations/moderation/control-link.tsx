import type { RotatedTokenView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { Notice } from '../../../../ui/notice.tsx';
import { useSubmit } from '../../../api/use-submit.ts';
import { useSignedInAccount } from '../../../app/account-context.ts';
import { ConfirmButton } from '../../../parts/form/confirm-button.tsx';
import { ProblemNotice } from '../../../parts/form/form.tsx';
import { CopyField } from '../../../parts/secret-box.tsx';
import type { ModerationTexts } from './moderation-texts.ts';

type Props = { url: string | null; words: ModerationTexts; onUrl: (url: string) => void };

/** The link of the control page, which is created when the owner first wants one. */
export function ControlLink({ url, words, onUrl }: Props) {
  const { api } = useSignedInAccount();
  const rotation = useSubmit<RotatedTokenView>();
  const [wasReplaced, setReplaced] = useState(false);
  const rotate = async () => {
    const rotated = await rotation.send(() => api.rotateProjectToken('control'));
    if (rotated === null) return;
    setReplaced(url !== null);
    onUrl(rotated.url);
  };
  return (
    <div class="stack" data-testid="control-link">
      <h3 class="panel__sub">{words.control}</h3>
      <p>{words.controlHint}</p>
      {url === null ? null : <CopyField value={url} testId="control-url" />}
      <ProblemNotice problem={rotation.problem} />
      {rotation.value === null || !wasReplaced ? null : (
        <Notice tone="calm" icon="check" testId="rotated-control">
          {words.replaced}
        </Notice>
      )}
      <div class="buttons">
        {url === null ? <CreateButton words={words} onCreate={rotate} /> : null}
        {url === null ? null : <LinkButtons url={url} words={words} onReplace={rotate} />}
      </div>
    </div>
  );
}

function CreateButton({ words, onCreate }: { words: ModerationTexts; onCreate: () => Promise<void> }) {
  return (
    <button
      type="button"
      class="button button--main"
      data-testid="create-control"
      onClick={() => void onCreate()}
    >
      {words.create}
    </button>
  );
}

type LinkButtonsProps = { url: string; words: ModerationTexts; onReplace: () => Promise<void> };

function LinkButtons({ url, words, onReplace }: LinkButtonsProps) {
  return (
    <>
      <a class="button" href={url} target="_blank" rel="noreferrer" data-testid="open-control">
        {words.open}
      </a>
      <ConfirmButton
        question={words.replaceAsk}
        detail={words.replaceDetail}
        testId="rotate-control"
        onConfirm={() => void onReplace()}
      >
        {words.replace}
      </ConfirmButton>
    </>
  );
}
