import { describe, expect, test } from 'vitest';
import {
  ERROR_CODES,
  errorCodesOf,
  OPERATIONS,
  SCOPES_OF,
  type Operation,
} from '../../src/contract/index.ts';

const operations = Object.entries<Operation>(OPERATIONS);

// Method, path, credentials, operationId, as the interface lists them and the decisions add to it.
const EXPECTED = `
POST   /v1/auth/register                     none   register
POST   /v1/auth/login                        none   login
POST   /v1/auth/login/verify                 none   verifyLogin
POST   /v1/auth/login/passkey/options        none   startPasskeyLogin
POST   /v1/auth/login/passkey                none   loginWithPasskey
POST   /v1/auth/reauthenticate/options       bearer startReauthentication
POST   /v1/auth/reauthenticate               bearer reauthenticate
GET    /v1/sessions                          bearer listSessions
DELETE /v1/sessions/{sessionId}              bearer endSession
POST   /v1/auth/logout-others                bearer logoutOthers
POST   /v1/auth/confirm-password             bearer confirmPassword
GET    /v1/second-factors                    bearer listSecondFactors
POST   /v1/second-factors                    bearer addSecondFactor
POST   /v1/second-factors/{factorId}/confirm bearer confirmSecondFactor
POST   /v1/second-factors/passkeys/options   bearer startPasskey
POST   /v1/second-factors/passkeys           bearer addPasskey
PATCH  /v1/second-factors/{factorId}         bearer renameSecondFactor
DELETE /v1/second-factors/{factorId}         bearer removeSecondFactor
POST   /v1/recovery-codes                    bearer replaceRecoveryCodes
POST   /v1/auth/logout                       bearer logout
POST   /v1/auth/logout-all                   bearer logoutAll
POST   /v1/auth/change-password              bearer changePassword
POST   /v1/auth/forgot-password              none   forgotPassword
POST   /v1/auth/reset-password               none   resetPassword
POST   /v1/auth/verify-email                 none   verifyEmail
POST   /v1/auth/resend-verification          bearer resendVerification
POST   /v1/auth/change-email                 bearer changeEmail
POST   /v1/auth/confirm-email                none   confirmEmail
GET    /v1/me                                bearer getMe
GET    /v1/projects                          bearer listProjects
POST   /v1/projects                          bearer createProject
GET    /v1/members                           bearer listMembers
POST   /v1/members/invitations               bearer inviteMember
DELETE /v1/members/invitations/{invitationId} bearer cancelInvitation
POST   /v1/invitations/accept                bearer acceptInvitation
DELETE /v1/members/me                        bearer leaveProject
PATCH  /v1/members/{memberId}                bearer updateMember
DELETE /v1/members/{memberId}                bearer removeMember
GET    /v1/operator/overview                 bearer getOperatorOverview
GET    /v1/operator/accounts                 bearer listOperatorAccounts
GET    /v1/operator/accounts/{accountId}     bearer getOperatorAccount
POST   /v1/operator/accounts/{accountId}/unlock bearer unlockOperatorAccount
POST   /v1/operator/accounts/{accountId}/subscription bearer setOperatorSubscription
POST   /v1/operator/accounts/{accountId}/address-limit bearer setOperatorAddressLimit
GET    /v1/operator/parked-invoices          bearer listParkedInvoices
POST   /v1/operator/parked-invoices/{publicId}/retry bearer retryParkedInvoice
GET    /v1/notices                           bearer getNotices
PATCH  /v1/notices                           bearer updateNotices
POST   /v1/api-keys                          bearer createApiKey
GET    /v1/api-keys                          bearer listApiKeys
DELETE /v1/api-keys/{keyPublic}              bearer revokeApiKey
POST   /v1/wallets                           key    createWallet
POST   /v1/wallets/{currency}/verify         key    verifyWallet
POST   /v1/webhooks                          key    setWebhook
POST   /v1/invoices                          key    createInvoice
GET    /v1/invoices                          key    listInvoices
GET    /v1/invoices/{publicId}               key    getInvoice
POST   /v1/invoices/{publicId}/extend        key    extendInvoice
GET    /v1/exports/invoices                  key    exportInvoices
GET    /v1/exports/payments                  key    exportPayments
GET    /v1/exports/events                    key    exportEvents
GET    /v1/stats                             key    getStats
GET    /v1/public/invoices/{publicId}        none   getPublicInvoice
GET    /v1/public/invoices/{publicId}/events none   streamPublicInvoice
GET    /v1/public/donate/{token}             none   getDonationLink
POST   /v1/public/donate/{token}             none   createDonation
GET    /v1/public/fee/{currency}             none   getFeeEstimate
GET    /v1/public/rates/{currency}           none   getExchangeRate
GET    /v1/public/status                     none   getServiceStatus
GET    /v1/public/overlay/{token}/events     none   streamOverlay
GET    /v1/audit-log                         bearer listAuditLog
GET    /v1/audit-log/export                  bearer exportAuditLog
GET    /v1/account/export                    bearer exportAccount
POST   /v1/account/delete                    bearer deleteAccount
PATCH  /v1/project                           bearer updateProject
POST   /v1/project/tokens/{kind}/rotate      bearer rotateProjectToken
GET    /v1/overlay/settings                  bearer getOverlaySettings
PATCH  /v1/overlay/settings                  bearer updateOverlaySettings
GET    /v1/donation-page                     bearer getDonationPage
PATCH  /v1/donation-page                     bearer updateDonationPage
GET    /v1/branding                          bearer getBranding
PATCH  /v1/branding                          bearer updateBranding
GET    /v1/overlay/moderation                bearer getModeration
PATCH  /v1/overlay/moderation                bearer updateModeration
GET    /v1/public/control/{token}/events     none   streamControl
POST   /v1/public/control/{token}            none   controlOverlay
POST   /v1/public/control/{token}/decisions  none   decideHeldDonation
GET    /v1/overlay/sources                   bearer getOverlaySources
PATCH  /v1/overlay/sources                   bearer updateOverlaySources
POST   /v1/overlay/test                      bearer testOverlay
GET    /v1/subscription                      bearer getSubscription
POST   /v1/subscription/purchases            bearer createPurchase
GET    /v1/unassigned-payments               key    listUnassignedPayments
PATCH  /v1/wallets/{currency}                key    updateWallet
POST   /v1/wallets/{currency}/cancel-change  key    cancelWalletChange
POST   /v1/auth/cancel-wallet-changes        none   cancelWalletChanges
PATCH  /v1/project/wallet-change-delay       bearer updateWalletChangeDelay
POST   /v1/webhooks/test                     key    testWebhook
POST   /v1/webhook-endpoints                 key    createWebhookEndpoint
GET    /v1/webhook-endpoints                 key    listWebhookEndpoints
GET    /v1/webhook-endpoints/{endpointId}    key    getWebhookEndpoint
PATCH  /v1/webhook-endpoints/{endpointId}    key    updateWebhookEndpoint
DELETE /v1/webhook-endpoints/{endpointId}    key    deleteWebhookEndpoint
POST   /v1/webhook-endpoints/{endpointId}/rotate-secret key rotateWebhookSecret
POST   /v1/webhook-endpoints/{endpointId}/replay key replayWebhookEvents
POST   /v1/payment-links                     key    createPaymentLink
GET    /v1/payment-links                     key    listPaymentLinks
GET    /v1/payment-links/{linkId}            key    getPaymentLink
PATCH  /v1/payment-links/{linkId}            key    updatePaymentLink
DELETE /v1/payment-links/{linkId}            key    deletePaymentLink
POST   /v1/payment-links/{linkId}/rotate-token key rotatePaymentLinkToken
GET    /v1/public/links/{token}              none   getPublicPaymentLink
POST   /v1/public/links/{token}              none   buyByPaymentLink
POST   /v1/uploads                           bearer createUpload
GET    /v1/uploads                           bearer listUploads
DELETE /v1/uploads/{uploadId}                bearer deleteUpload
GET    /v1/public/uploads/{uploadId}         none   getUpload
GET    /v1/events                            key    listEvents
GET    /v1/events/{id}                       key    getEvent
POST   /v1/events/{id}/redeliver             key    redeliverEvent
`;

test('the operations are exactly those of the interface and the decisions, under names that never change', () => {
  const listed = operations.map(([id, { method, path, auth }]) =>
    [method.toUpperCase(), path, auth, id].join(' '),
  );
  const expected = EXPECTED.trim()
    .split('\n')
    .map((line) => line.split(/\s+/).join(' '));
  expect(listed.sort()).toEqual(expected.sort());
});

test('a path names exactly the parameters that its operation takes', () => {
  for (const [, { path, params }] of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(named).toEqual(Object.keys(params?.shape ?? {}));
  }
});

test('only API keys need a scope, and the set `invoices` does not cover wallets and webhooks', () => {
  for (const [, { auth, scope, path }] of operations) {
    expect(scope !== undefined).toBe(auth === 'key');
    if (scope === undefined) continue;
    expect(SCOPES_OF.full).toContain(scope);
    expect(SCOPES_OF.invoices.includes(scope)).toBe(
      !/^\/v1\/(wallets|webhooks|webhook-endpoints)\b/.test(path),
    );
  }
});

test('every scope reaches an operation, and those that only read change nothing', () => {
  for (const wanted of SCOPES_OF.full) {
    const reached = operations.filter(([, { scope }]) => scope === wanted);
    expect(reached).not.toEqual([]);
    expect(!wanted.endsWith(':read') || reached.every(([, { method }]) => method === 'get')).toBe(true);
  }
});

/**
 * Writes that are bounded otherwise: by what a session is, by the password or a code, by the limits of mails, by the
 * subscription, by the invoice.
 */
const BOUNDED_OTHERWISE = [
  'logout',
  'logoutAll',
  'logoutOthers',
  'endSession',
  'changePassword',
  'confirmPassword',
  'resendVerification',
  'changeEmail',
  'deleteAccount',
  'acceptInvitation',
  'reauthenticate',
  'addSecondFactor',
  'confirmSecondFactor',
  'startPasskey',
  'createInvoice',
  'extendInvoice',
];

test('invitations leave the limit of links by mail to those who cannot log in', () => {
  for (const [id, { auth, rateLimits }] of operations)
    expect(rateLimits.includes('mail_link') && auth !== 'none', id).toBe(false);
});

test.each(operations)(
  '%s has the limit of its caller, and one for what it writes',
  (id, { auth, method, rateLimits }) => {
    const ofCaller = {
      none: ['register', 'login', 'mail_link', 'donation_creation', 'public_read'],
      bearer: ['account'],
      key: ['api_key'],
    }[auth];
    expect(rateLimits.some((name) => ofCaller.includes(name))).toBe(true);
    const writes = auth !== 'none' && method !== 'get' && !BOUNDED_OTHERWISE.includes(id);
    expect(rateLimits.some((name) => name === 'project_change' || name === 'redelivery')).toBe(writes);
  },
);

function codesOf(id: keyof typeof OPERATIONS) {
  return [...errorCodesOf(OPERATIONS[id])].sort();
}

describe('the errors of an operation', () => {
  test('creating an invoice', () => {
    expect(codesOf('createInvoice')).toEqual(
      [
        'address_pool_busy',
        'forbidden',
        'idempotency_conflict',
        'internal_error',
        'malformed_json',
        'payload_too_large',
        'project_not_found',
        'rate_limited',
        'rate_unavailable',
        'service_unavailable',
        'subscription_inactive',
        'unauthorized',
        'unsupported_media_type',
        'validation_error',
        'wallet_not_verified',
      ].sort(),
    );
  });

  test('reading an invoice without credentials', () => {
    expect(codesOf('getPublicInvoice')).toEqual(
      ['internal_error', 'invoice_not_found', 'rate_limited', 'service_unavailable'].sort(),
    );
  });

  test('verifying a wallet', () => {
    expect(codesOf('verifyWallet')).toEqual(
      expect.arrayContaining([
        'address_mismatch',
        'forbidden',
        'unauthorized',
        'validation_error',
        'wallet_not_found',
      ]),
    );
  });

  test('no code is listed twice', () => {
    for (const [, operation] of operations) {
      const codes = errorCodesOf(operation);
      expect(codes).toHaveLength(new Set(codes).size);
    }
  });

  test('every code is returned by some operation or by the router', () => {
    const answered = new Set<string>(operations.flatMap(([, operation]) => errorCodesOf(operation)));
    const unanswered = Object.keys(ERROR_CODES).filter((code) => !answered.has(code));
    expect(unanswered).toEqual(['method_not_allowed']);
  });
});
