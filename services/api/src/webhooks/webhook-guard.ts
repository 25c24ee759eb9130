import { checkWebhookTarget, describeNonPublicAddress, parseAllowedHosts } from '@paywatch/domain';
import { createGuardedResolver } from '@paywatch/runtime';
import { invalidField } from '../validation-problem.ts';

/** Refuses targets that must not be called: the text itself, and every address that the name has at this moment. */
export type WebhookGuard = {
  /** Throws AppError `validation_error`. What the name resolves to later is checked again on every attempt. */
  assertAllowed(url: string): Promise<void>;
};

/**
 * `allowedHosts`: hosts that the operator exempts, for development. `servers`: name servers, the system's when empty. Throws TypeError on a faulty entry.
 */
export function createWebhookGuard(
  allowedHosts: readonly string[],
  servers: readonly string[],
): WebhookGuard {
  const allowed = parseAllowedHosts(allowedHosts);
  const resolver = createGuardedResolver({
    describeRefusal: describeNonPublicAddress,
    ...(servers.length > 0 && { servers: [...servers] }),
  });
  return {
    assertAllowed: async (url) => {
      const target = checkWebhookTarget(url, allowed);
      if (!target.ok) throw invalidField('body.url', target.problem.message);
      if (target.value.isAllowedHost) return;
      const problem = await resolver.explain(target.value.hostname);
      if (problem !== null) throw invalidField('body.url', problem);
    },
  };
}
