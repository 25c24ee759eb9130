import type { ErrorCode } from '@paywatch/domain/contract';
import type { ProblemTexts } from './problem-en.ts';
import { Icon } from '../icons.tsx';
import { problemText } from './problem-text.ts';

type ProblemViewProps = { code: ErrorCode; requestId: string | null; texts: ProblemTexts };

/** The content of the error page: the error and the request ID to quote. */
export function ProblemView({ code, requestId, texts }: ProblemViewProps) {
  const { title, detail } = problemText(code, texts);
  return (
    <article class="card problem" data-testid="problem" data-code={code}>
      <span class="mark">
        <Icon name="alert" />
      </span>
      <h1 class="problem__title">{title}</h1>
      <p>{detail}</p>
      {requestId === null ? null : (
        <p class="problem__request">
          {texts.request} <code dir="ltr">{requestId}</code>
        </p>
      )}
    </article>
  );
}
