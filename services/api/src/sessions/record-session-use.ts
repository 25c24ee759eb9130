import { touchSession } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import { onceAMinute } from '../middleware/once-a-minute.ts';
import type { RequestContext } from '../middleware/request-context.ts';

/** Updates when and where a session was last used; `tokenHash` in hex. Not awaited. */
export function recordSessionUse(
  dependencies: Dependencies,
  tokenHash: string,
  { address: ip, userAgent }: RequestContext,
): void {
  onceAMinute(dependencies, `session ${tokenHash}`, () =>
    touchSession(dependencies.store, tokenHash, { ip, userAgent }),
  );
}
