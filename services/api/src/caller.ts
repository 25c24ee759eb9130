import type { Actor, Credential } from '@paywatch/store';

/** A caller with a session. */
export type SessionCaller = Extract<Credential, { kind: 'session' }>;

/** How the audit log names a caller. */
export function actorOf(caller: Credential): Actor {
  return caller.kind === 'session' ? 'session' : caller.keyPublic;
}
