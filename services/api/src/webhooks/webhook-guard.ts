import { checkWebhookTarget, describeNonPublicAddress, parseAllowedHosts } from '@paywatch/domain/webhooks';
import { createGuardedResolver } from '@paywatch/runtime/security';
import { invalidField } from '../invalid-field.ts';

/** Refuses webhook URLs that must not be called, by their text and by the addresses that their host name resolves to. */
export type WebhookGuard = {
  /** Throws AppError `validation_error`. The addresses are checked again at every delivery attempt. */
  assertAllowed(url: string): Promise<void>;
};

/**
 * `allowedHosts`: hosts that the operator exempts, for development. `servers`: name servers; those of the system if empty. Throws
 * TypeError for an invalid entry.
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

/** The same message for every reason: otherwise a merchant could explore the names of our network. */
const NOT_CALLABLE =
  'The host name must resolve to public addresses only. Check its DNS records and try again.';
