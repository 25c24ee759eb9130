import type { AuditLineView } from '@paywatch/domain/contract';
import type { AuditTexts } from './audit-texts.ts';

/** What a line is about, then each value that changed: `name: Shop → Store`. Pure. */
export function changeText({ details, before, after }: AuditLineView, { changed }: AuditTexts): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const pairs = names.map((name) => {
    const [was, is] = [valueText(before?.[name]), valueText(after?.[name])];
    const isUnchanged = before === null || after === null || was === is;
    return `${name}: ${isUnchanged ? (after === null ? was : is) : changed(was, is)}`;
  });
  const about = Object.entries(details)
    .filter(([name]) => !names.includes(name))
    .map(([name, value]) => `${name}: ${valueText(value)}`);
  return [...about, ...pairs].join(', ');
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
