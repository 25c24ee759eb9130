import type { ComponentChildren } from 'preact';
import type { LimitedOperation } from '../app/access.ts';
import { useMayCall } from '../app/account-context.ts';

/** Shows its content only to readers whose role in the project includes the operation. */
export function May({ call, children }: { call: LimitedOperation; children: ComponentChildren }) {
  return useMayCall(call) ? <>{children}</> : null;
}
