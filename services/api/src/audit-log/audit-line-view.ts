import type { AuditLineView, AuditLogFilterQuery } from '@paywatch/domain/contract';
import type { AuditFilter, AuditLine } from '@paywatch/store/accounts';

/** A line of the audit log as its owner reads it: who the operator is, and from where, is not the owner's business. */
export function auditLineView(line: AuditLine): AuditLineView {
  const view = operatorLineView(line);
  return view.actor.type === 'operator'
    ? { ...view, actor: { type: 'operator', name: null }, ip: null }
    : view;
}

/** A line of the audit log as operators read it. */
export function operatorLineView(
  line: Omit<AuditLine, 'memberEmail'> & Partial<Pick<AuditLine, 'memberEmail'>>,
): AuditLineView {
  const { publicId, at, action, actorEmail, memberEmail = null, ip, detail } = line;
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
  if (name === 'operator') return { type: 'operator', name: email };
  if (name === 'unknown') return { type: name, name: null };
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
