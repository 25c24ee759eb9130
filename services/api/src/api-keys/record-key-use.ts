import { touchApiKey } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import { onceAMinute } from '../middleware/once-a-minute.ts';

/** Updates when and from which address a key was last used. Not awaited. */
export function recordKeyUse(dependencies: Dependencies, apiKeyId: bigint, address: string | null): void {
  onceAMinute(dependencies, `key ${apiKeyId}`, () => touchApiKey(dependencies.store, apiKeyId, address));
}
