import type { ErrorCode } from '@paywatch/domain/contract';
import type { Language } from '../texts/language.ts';
import { PROBLEM_TEXTS, problemWords } from '../texts/problem.ts';
import { Icon } from './icons.tsx';

type ProblemViewProps = { code: ErrorCode; requestId: string | null; language: Language };

/** A page that cannot be shown: what that means, and the number to quote. */
export function ProblemView({ code, requestId, language }: ProblemViewProps) {
  const { title, detail } = problemWords(code, language);
  return (
    <article class="card problem" data-testid="problem" data-code={code}>
      <span class="mark">
        <Icon name="alert" />
      </span>
      <h1 class="problem__title">{title}</h1>
      <p>{detail}</p>
      {requestId === null ? null : (
        <p class="problem__request">
          {PROBLEM_TEXTS[language].request} <code dir="ltr">{requestId}</code>
        </p>
      )}
    </article>
  );
}
