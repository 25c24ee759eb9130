import type { Credential } from '@paywatch/store/redis';

/** A caller that authenticated with a session. */
export type SessionCaller = Extract<Credential, { kind: 'session' }>;
