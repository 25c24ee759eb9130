import { pause } from '@paywatch/runtime/process';

/** What `asked` resolves to, or `otherwise` where that takes longer than `ms`: a frozen server never answers. */
export async function answerWithin<Answer>(
  asked: Promise<Answer>,
  ms: number,
  otherwise: Answer,
): Promise<Answer> {
  const answered = new AbortController();
  try {
    return await Promise.race([asked, pause(ms, answered.signal).then(() => otherwise)]);
  } finally {
    answered.abort();
  }
}
