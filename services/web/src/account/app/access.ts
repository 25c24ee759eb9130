import type { OperationId } from '@paywatch/domain/contract';
import { includesRole, type ProjectRole } from '@paywatch/domain/roles';
import type { Route } from './route.ts';

/**
 * The least role that an operation needs, for the operations that a role below owner may lack and whose controls are then hidden. The
 * API decides; a test compares this table with its contract, which is too large for a page.
 */
export const NEEDED_ROLES = {
  cancelInvitation: 'owner',
  cancelWalletChange: 'manager',
  createApiKey: 'owner',
  createInvoice: 'manager',
  createPaymentLink: 'manager',
  createPurchase: 'manager',
  createWallet: 'owner',
  createWebhookEndpoint: 'manager',
  exportAccount: 'owner',
  exportAuditLog: 'owner',
  exportInvoices: 'accountant',
  extendInvoice: 'manager',
  getStats: 'accountant',
  getSubscription: 'accountant',
  inviteMember: 'owner',
  listApiKeys: 'manager',
  listAuditLog: 'owner',
  listPaymentLinks: 'accountant',
  listUnassignedPayments: 'accountant',
  listWebhookEndpoints: 'accountant',
  redeliverEvent: 'manager',
  removeMember: 'owner',
  revokeApiKey: 'owner',
  rotateProjectToken: 'manager',
  testWebhook: 'manager',
  updateBranding: 'manager',
  updateMember: 'owner',
  updateOverlaySettings: 'manager',
  updatePaymentLink: 'manager',
  updateProject: 'manager',
  updateWallet: 'owner',
  updateWalletChangeDelay: 'owner',
  updateWebhookEndpoint: 'manager',
} as const satisfies Partial<Record<OperationId, ProjectRole>>;

/** An operation that not every role includes. */
export type LimitedOperation = keyof typeof NEEDED_ROLES;

/** Whether a role includes an operation. Pure. */
export function mayCall(role: ProjectRole, operation: LimitedOperation): boolean {
  return includesRole(role, NEEDED_ROLES[operation]);
}

/** The operation that each screen is useless without; screens that every role has are not listed. */
const SCREENS: Partial<Record<Route['screen'], LimitedOperation>> = {
  start: 'createApiKey',
  overview: 'getStats',
  'new-invoice': 'createInvoice',
  links: 'listPaymentLinks',
  wallets: 'listUnassignedPayments',
  keys: 'listApiKeys',
  audit: 'listAuditLog',
};

/** Whether a role has a screen. Pure. */
export function maySee(role: ProjectRole, screen: Route['screen']): boolean {
  const operation = SCREENS[screen];
  return operation === undefined || mayCall(role, operation);
}
