import type { ErrorCode } from '@paywatch/domain/contract';
import type { ProblemTexts } from './problem-en.ts';

/** The title and detail for an error code; codes without a text of their own say that the service is unavailable. */
export function problemText(code: ErrorCode, texts: ProblemTexts): { title: string; detail: string } {
  if (code === 'invoice_not_found' || code === 'not_found' || code === 'rate_limited') return texts[code];
  return texts.unavailable;
}
