import type { AuditLineView } from '@paywatch/domain/contract';
import type { AuditTexts } from './audit-texts.ts';
import { changeText } from './change-text.ts';

type Props = { line: AuditLineView; words: AuditTexts };

/** Who made the change. */
export function ActorCell({ line: { actor }, words }: Props) {
  return <bdi>{actorText(actor, words)}</bdi>;
}

/** The name of an operator is null for everybody but operators. */
function actorText({ type, name }: AuditLineView['actor'], { apiKey, actors }: AuditTexts): string {
  if (type === 'person') return name ?? '–';
  if (type === 'api_key') return apiKey(name ?? '');
  return name === null ? actors[type] : `${actors[type]} ${name}`;
}

/** What was changed; null if there is nothing to say, so that the cell stays empty. */
export function ChangeCell({ line, words }: Props) {
  const text = changeText(line, words);
  return text === '' ? null : <bdi class="change-text">{text}</bdi>;
}
