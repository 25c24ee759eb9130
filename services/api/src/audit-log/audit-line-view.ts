import type { AuditLineView, AuditLogFilterQuery } from '@paywatch/domain/contract';
import type { AuditFilter, AuditLine } from '@paywatch/store/accounts';

/** A line of the audit log as its owner reads it. */
export function auditLineView(line: AuditLine): AuditLineView {
  const { publicId, at, action, actorEmail, memberEmail, ip, detail } = line;
  const { actor, before, after, member_account: account, ...rest } = detail;
  const details = account === undefined ? rest : { ...rest, email: memberEmail };
  return {
    id: publicId,
    at: at.toISOString(),
    action,
    actor: actorView(String(actor), actorEmail),
    ip,
    details,
    before: valuesOf(before),
    after: valuesOf(after),
  };
}

function actorView(name: string, email: string | null): AuditLineView['actor'] {
  if (name === 'session') return { type: 'person', name: email };
  if (name === 'operator' || name === 'unknown') return { type: name, name: null };
  if (name === 'watcher' || name === 'payment') return { type: 'system', name: null };
  return { type: 'api_key', name };
}

function valuesOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? { ...value } : null;
}

/** The filter of a query. */
export function auditFilterOf({ action, from, to }: AuditLogFilterQuery): AuditFilter {
  return { action: action ?? null, fromMs: from ?? null, toMs: to ?? null };
}
