import type { Actor } from '@paywatch/store/accounts';
import type { Credential } from '@paywatch/store/redis';

/** A caller that authenticated with a session. */
export type SessionCaller = Extract<Credential, { kind: 'session' }>;

/** The name of a caller in the audit log. */
export function actorOf(caller: Credential): Actor {
  return caller.kind === 'session' ? 'session' : caller.keyPublic;
}
