import type { Actor } from '@paywatch/store/accounts';
import type { Credential } from '@paywatch/store/redis';

/** A caller with a session. */
export type SessionCaller = Extract<Credential, { kind: 'session' }>;

/** How the audit log names a caller. */
export function actorOf(caller: Credential): Actor {
  return caller.kind === 'session' ? 'session' : caller.keyPublic;
}
