import type { ComponentChildren } from 'preact';
import { mayCall, type LimitedOperation } from '../app/access.ts';
import { useSignedInAccount } from '../app/account-context.ts';

/** Shows its content only to readers whose role in the project includes the operation. */
export function May({ call, children }: { call: LimitedOperation; children: ComponentChildren }) {
  return useMayCall(call) ? <>{children}</> : null;
}

/** Whether the reader's role in the project includes the operation. */
export function useMayCall(operation: LimitedOperation): boolean {
  return mayCall(useSignedInAccount().me.project.role, operation);
}
