import { checkWebhookTarget, describeNonPublicAddress, parseAllowedHosts } from '@paywatch/domain/webhooks';
import { createGuardedResolver } from '@paywatch/runtime/security';
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
      if (!(await resolver.isCallable(target.value.hostname))) throw invalidField('body.url', NOT_CALLABLE);
    },
  };
}

/** The same for every reason: what our name servers say of names in our network is nobody's business. */
const NOT_CALLABLE =
  'Its host name must have public addresses, and no others. Check its DNS records, and try again.';
