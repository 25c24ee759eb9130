import type { ErrorCode } from '@paywatch/domain/contract';
import type { ProblemTexts } from './problem-en.ts';

/** The words for a code; what is nobody's fault here is one text. */
export function problemText(code: ErrorCode, texts: ProblemTexts): { title: string; detail: string } {
  if (code === 'invoice_not_found' || code === 'not_found' || code === 'rate_limited') return texts[code];
  return texts.unavailable;
}
