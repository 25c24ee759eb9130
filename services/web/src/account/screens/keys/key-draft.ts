import type { CreateApiKeyInput, Scope, ScopeSet } from '@paywatch/domain/contract';

/** What a merchant typed into the form of an API key. */
export type KeyDraft = {
  readonly name: string;
  readonly access: ScopeSet | 'custom';
  /** Used if `access` is `custom`. */
  readonly scopes: readonly Scope[];
  /** A day as `2026-11-20`; empty: the key does not expire. */
  readonly expires: string;
  /** Separated by commas, spaces or lines; empty: from anywhere. */
  readonly addresses: string;
};

/** An empty form: a key with full access, as most servers need it. */
export const NEW_KEY: KeyDraft = { name: '', access: 'full', scopes: [], expires: '', addresses: '' };

/** The request of a form. A key works until the end of its last day, in the time zone of the browser. Pure. */
export function keyRequest({ name, access, scopes, expires, addresses }: KeyDraft): CreateApiKeyInput {
  const ranges = addresses.split(/[\s,;]+/).filter((range) => range !== '');
  return {
    ...(access === 'custom' ? { scopes: [...scopes] } : { scope: access }),
    ...(name.trim() === '' ? {} : { name }),
    ...(expires === '' ? {} : { expires_at: new Date(`${expires}T23:59:59`).toISOString() }),
    ...(ranges.length === 0 ? {} : { allowed_addresses: ranges }),
  };
}
