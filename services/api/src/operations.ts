import { createApiKey } from './api-keys/create-api-key.ts';
import { listApiKeys } from './api-keys/list-api-keys.ts';
import { revokeApiKey } from './api-keys/revoke-api-key.ts';
import { exportAuditLog } from './audit-log/export-audit-log.ts';
import { listAuditLog } from './audit-log/list-audit-log.ts';
import { changeEmail } from './auth/email/change-email.ts';
import { changePassword } from './auth/password/change-password.ts';
import { confirmEmail } from './auth/email/confirm-email.ts';
import { forgotPassword } from './auth/password/forgot-password.ts';
import { login } from './auth/login.ts';
import { logoutAll } from './auth/logout-all.ts';
import { logout } from './auth/logout.ts';
import { register } from './auth/register.ts';
import { resendVerification } from './auth/email/resend-verification.ts';
import { resetPassword } from './auth/password/reset-password.ts';
import { verifyEmail } from './auth/email/verify-email.ts';
import type { Dependencies } from './dependencies.ts';
import { createDonation } from './donations/create-donation.ts';
import { getBranding, updateBranding } from './branding/branding.ts';
import { getDonationPage, updateDonationPage } from './donations/donation-page.ts';
import { getDonationLink } from './donations/get-donation-link.ts';
import { getEvent } from './events/get-event.ts';
import { listEvents } from './events/list-events.ts';
import { redeliverEvent } from './events/redeliver-event.ts';
import { exportEvents } from './exports/export-events.ts';
import { exportInvoices } from './exports/export-invoices.ts';
import { exportPayments } from './exports/export-payments.ts';
import { getFeeEstimate } from './fees/get-fee-estimate.ts';
import { getExchangeRate } from './rates/get-exchange-rate.ts';
import { createInvoice } from './invoices/create-invoice.ts';
import { extendInvoice } from './invoices/extend-invoice.ts';
import { getInvoice } from './invoices/get-invoice.ts';
import { getPublicInvoice } from './invoices/get-public-invoice.ts';
import { listInvoices } from './invoices/list-invoices.ts';
import { deleteAccount } from './leaving/delete-account.ts';
import { exportAccount } from './leaving/export-account.ts';
import { getMe } from './me/get-me.ts';
import { acceptInvitation } from './members/accept-invitation.ts';
import { cancelInvitation } from './members/cancel-invitation.ts';
import { inviteMember } from './members/invite-member.ts';
import { leaveProject } from './members/leave-project.ts';
import { listMembers } from './members/list-members.ts';
import { removeMember } from './members/remove-member.ts';
import { updateMember } from './members/update-member.ts';
import { getOperatorAccount } from './operator/get-operator-account.ts';
import { getOperatorOverview } from './operator/get-operator-overview.ts';
import { listOperatorAccounts } from './operator/list-operator-accounts.ts';
import { listParkedInvoices } from './operator/list-parked-invoices.ts';
import { retryParkedInvoice } from './operator/retry-parked-invoice.ts';
import { setOperatorAddressLimit } from './operator/set-operator-address-limit.ts';
import { setOperatorSubscription } from './operator/set-operator-subscription.ts';
import { unlockOperatorAccount } from './operator/unlock-operator-account.ts';
import { getNotices, updateNotices } from './me/notices.ts';
import { buyByPaymentLink } from './payment-links/buy-by-payment-link.ts';
import { createPaymentLink } from './payment-links/create-payment-link.ts';
import { deletePaymentLink } from './payment-links/delete-payment-link.ts';
import { getPaymentLink } from './payment-links/get-payment-link.ts';
import { getPublicPaymentLink } from './payment-links/get-public-payment-link.ts';
import { listPaymentLinks } from './payment-links/list-payment-links.ts';
import { rotatePaymentLinkToken } from './payment-links/rotate-payment-link-token.ts';
import { updatePaymentLink } from './payment-links/update-payment-link.ts';
import type { DownloadHandlers, FileHandlers, OperationHandlers } from './operation-handler.ts';
import { controlOverlay } from './overlay/control-overlay.ts';
import { decideHeldDonation } from './overlay/decide-held-donation.ts';
import { getModeration, updateModeration } from './overlay/moderation.ts';
import { getOverlaySettings, updateOverlaySettings } from './overlay/overlay-settings.ts';
import { getOverlaySources, updateOverlaySources } from './overlay/overlay-sources.ts';
import { testOverlay } from './overlay/test-overlay.ts';
import { addPasskey } from './passkeys/add-passkey.ts';
import { loginWithPasskey } from './passkeys/login-with-passkey.ts';
import { startPasskeyLogin } from './passkeys/start-passkey-login.ts';
import { startPasskey } from './passkeys/start-passkey.ts';
import { startReauthentication } from './passkeys/start-reauthentication.ts';
import { createProject } from './projects/create-project.ts';
import { listProjects } from './projects/list-projects.ts';
import { rotateProjectToken } from './project/rotate-project-token.ts';
import { updateProject } from './project/update-project.ts';
import { updateWalletChangeDelay } from './project/update-wallet-change-delay.ts';
import { addSecondFactor } from './second-factors/add-second-factor.ts';
import { confirmSecondFactor } from './second-factors/confirm-second-factor.ts';
import { listSecondFactors } from './second-factors/list-second-factors.ts';
import { reauthenticate } from './second-factors/reauthenticate.ts';
import { removeSecondFactor } from './second-factors/remove-second-factor.ts';
import { renameSecondFactor } from './second-factors/rename-second-factor.ts';
import { replaceRecoveryCodes } from './second-factors/replace-recovery-codes.ts';
import { verifyLogin } from './second-factors/verify-login.ts';
import { getServiceStatus } from './service-status/get-service-status.ts';
import { confirmPassword } from './sessions/confirm-password.ts';
import { endSession } from './sessions/end-session.ts';
import { listSessions } from './sessions/list-sessions.ts';
import { logoutOthers } from './sessions/logout-others.ts';
import { getStats } from './stats/get-stats.ts';
import { createPurchase } from './subscription/create-purchase.ts';
import { getSubscription } from './subscription/get-subscription.ts';
import { listUnassignedPayments } from './unassigned-payments/list-unassigned-payments.ts';
import { createUpload } from './uploads/create-upload.ts';
import { deleteUpload } from './uploads/delete-upload.ts';
import { getUpload } from './uploads/get-upload.ts';
import { listUploads } from './uploads/list-uploads.ts';
import { cancelWalletChange, cancelWalletChanges } from './wallets/cancel-wallet-change.ts';
import { createWallet } from './wallets/create-wallet.ts';
import { updateWallet } from './wallets/update-wallet.ts';
import { verifyWallet } from './wallets/verify-wallet.ts';
import { createWebhookEndpoint } from './webhook-endpoints/create-webhook-endpoint.ts';
import { deleteWebhookEndpoint } from './webhook-endpoints/delete-webhook-endpoint.ts';
import { getWebhookEndpoint } from './webhook-endpoints/get-webhook-endpoint.ts';
import { listWebhookEndpoints } from './webhook-endpoints/list-webhook-endpoints.ts';
import { replayWebhookEvents } from './webhook-endpoints/replay-webhook-events.ts';
import { rotateWebhookSecret } from './webhook-endpoints/rotate-webhook-secret.ts';
import { updateWebhookEndpoint } from './webhook-endpoints/update-webhook-endpoint.ts';
import { setWebhook } from './webhooks/set-webhook.ts';
import { testWebhook } from './webhooks/test-webhook.ts';

/**
 * The handler of every operation, by operationId. Express tries the routes in this order, so the most frequent operations come first.
 * streams/stream-handlers.ts has those of the event streams.
 */
export function operationHandlers(dependencies: Dependencies): OperationHandlers {
  return {
    getPublicInvoice: getPublicInvoice(dependencies),
    createInvoice: createInvoice(dependencies),
    listInvoices: listInvoices(dependencies),
    getInvoice: getInvoice(dependencies),
    extendInvoice: extendInvoice(dependencies),

    register: register(dependencies),
    login: login(dependencies),
    verifyLogin: verifyLogin(dependencies),
    reauthenticate: reauthenticate(dependencies),
    startPasskeyLogin: startPasskeyLogin(dependencies),
    loginWithPasskey: loginWithPasskey(dependencies),
    startReauthentication: startReauthentication(dependencies),
    logout: logout(dependencies),
    logoutAll: logoutAll(dependencies),
    changePassword: changePassword(dependencies),
    forgotPassword: forgotPassword(dependencies),
    resetPassword: resetPassword(dependencies),
    verifyEmail: verifyEmail(dependencies),
    resendVerification: resendVerification(dependencies),
    changeEmail: changeEmail(dependencies),
    confirmEmail: confirmEmail(dependencies),

    getMe: getMe(dependencies),
    getNotices: getNotices(dependencies),
    updateNotices: updateNotices(dependencies),
    listAuditLog: listAuditLog(dependencies),
    exportAccount: exportAccount(dependencies),
    deleteAccount: deleteAccount(dependencies),
    updateProject: updateProject(dependencies),
    updateWalletChangeDelay: updateWalletChangeDelay(dependencies),
    rotateProjectToken: rotateProjectToken(dependencies),

    listProjects: listProjects(dependencies),
    createProject: createProject(dependencies),

    listMembers: listMembers(dependencies),
    inviteMember: inviteMember(dependencies),
    cancelInvitation: cancelInvitation(dependencies),
    acceptInvitation: acceptInvitation(dependencies),
    // Before those of one member, whose path matches it, too.
    leaveProject: leaveProject(dependencies),
    updateMember: updateMember(dependencies),
    removeMember: removeMember(dependencies),
    getOperatorOverview: getOperatorOverview(dependencies),
    listOperatorAccounts: listOperatorAccounts(dependencies),
    getOperatorAccount: getOperatorAccount(dependencies),
    unlockOperatorAccount: unlockOperatorAccount(dependencies),
    setOperatorSubscription: setOperatorSubscription(dependencies),
    setOperatorAddressLimit: setOperatorAddressLimit(dependencies),
    listParkedInvoices: listParkedInvoices(dependencies),
    retryParkedInvoice: retryParkedInvoice(dependencies),

    listSessions: listSessions(dependencies),
    endSession: endSession(dependencies),
    logoutOthers: logoutOthers(dependencies),
    confirmPassword: confirmPassword(dependencies),

    listSecondFactors: listSecondFactors(dependencies),
    addSecondFactor: addSecondFactor(dependencies),
    confirmSecondFactor: confirmSecondFactor(dependencies),
    startPasskey: startPasskey(dependencies),
    addPasskey: addPasskey(dependencies),
    renameSecondFactor: renameSecondFactor(dependencies),
    removeSecondFactor: removeSecondFactor(dependencies),
    replaceRecoveryCodes: replaceRecoveryCodes(dependencies),

    getSubscription: getSubscription(dependencies),
    createPurchase: createPurchase(dependencies),

    createApiKey: createApiKey(dependencies),
    listApiKeys: listApiKeys(dependencies),
    revokeApiKey: revokeApiKey(dependencies),

    createWallet: createWallet(dependencies),
    verifyWallet: verifyWallet(dependencies),
    updateWallet: updateWallet(dependencies),
    cancelWalletChange: cancelWalletChange(dependencies),
    cancelWalletChanges: cancelWalletChanges(dependencies),
    listUnassignedPayments: listUnassignedPayments(dependencies),

    setWebhook: setWebhook(dependencies),
    testWebhook: testWebhook(dependencies),
    createWebhookEndpoint: createWebhookEndpoint(dependencies),
    listWebhookEndpoints: listWebhookEndpoints(dependencies),
    getWebhookEndpoint: getWebhookEndpoint(dependencies),
    updateWebhookEndpoint: updateWebhookEndpoint(dependencies),
    deleteWebhookEndpoint: deleteWebhookEndpoint(dependencies),
    rotateWebhookSecret: rotateWebhookSecret(dependencies),
    replayWebhookEvents: replayWebhookEvents(dependencies),

    createPaymentLink: createPaymentLink(dependencies),
    listPaymentLinks: listPaymentLinks(dependencies),
    getPaymentLink: getPaymentLink(dependencies),
    updatePaymentLink: updatePaymentLink(dependencies),
    deletePaymentLink: deletePaymentLink(dependencies),
    rotatePaymentLinkToken: rotatePaymentLinkToken(dependencies),
    getPublicPaymentLink: getPublicPaymentLink(dependencies),
    buyByPaymentLink: buyByPaymentLink(dependencies),

    getDonationLink: getDonationLink(dependencies),
    getDonationPage: getDonationPage(dependencies),
    updateDonationPage: updateDonationPage(dependencies),
    getBranding: getBranding(dependencies),
    updateBranding: updateBranding(dependencies),
    createDonation: createDonation(dependencies),

    listEvents: listEvents(dependencies),
    getEvent: getEvent(dependencies),
    redeliverEvent: redeliverEvent(dependencies),

    getStats: getStats(dependencies),
    controlOverlay: controlOverlay(dependencies),
    decideHeldDonation: decideHeldDonation(dependencies),
    getModeration: getModeration(dependencies),
    updateModeration: updateModeration(dependencies),
    getOverlaySettings: getOverlaySettings(dependencies),
    updateOverlaySettings: updateOverlaySettings(dependencies),
    getOverlaySources: getOverlaySources(dependencies),
    updateOverlaySources: updateOverlaySources(dependencies),
    testOverlay: testOverlay(dependencies),
    createUpload: createUpload(dependencies),
    listUploads: listUploads(dependencies),
    deleteUpload: deleteUpload(dependencies),
    getFeeEstimate: getFeeEstimate(dependencies),
    getExchangeRate: getExchangeRate(dependencies),
    getServiceStatus: getServiceStatus(dependencies),
  };
}

/** The handlers of the downloads. */
export function downloadHandlers(dependencies: Dependencies): DownloadHandlers {
  return {
    exportAuditLog: exportAuditLog(dependencies),
    exportInvoices: exportInvoices(dependencies),
    exportPayments: exportPayments(dependencies),
    exportEvents: exportEvents(dependencies),
  };
}

/** The handlers of files in memory. */
export function fileHandlers(dependencies: Dependencies): FileHandlers {
  return { getUpload: getUpload(dependencies) };
}
