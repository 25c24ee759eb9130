export { type ExportedRest, type ExportedWallet, exportRest } from './leaving/account-export.ts';
export { type AccountDeletion, deleteAccount } from './leaving/delete-account.ts';
export { LEFT_TABLES, leftTable } from './leaving/left-tables.ts';
export { cancelWalletChangesByLink } from './cancel-wallet-changes.ts';
export {
  type AccountSummary,
  type OperatedAccount,
  countSessions,
  findAccount,
  findOperatedAccount,
  findProjectEmail,
  listAccounts,
  listOwnedProjects,
  listSubscriptions,
} from './account-directory.ts';
export {
  type LoginAccount,
  changePassword,
  confirmPassword,
  countUnlocks,
  findLoginAccount,
  findOwnPassword,
  readLoginOrigin,
  recoverAccount,
  registerAccount,
  unlockAccount,
} from './accounts.ts';
export {
  type AddressLimitChange,
  type AddressUse,
  addAddressesWithinLimit,
  countLimitedPools,
  listLimitedAccounts,
  readAddressUse,
  countRemainingAddresses,
  setAddressLimit,
} from './address-limits.ts';
export {
  type ApiKey,
  type KeyScope,
  type KeyTerms,
  MAX_API_KEYS,
  createApiKey,
  findApiKey,
  listApiKeys,
  revokeApiKey,
  simpleKey,
  touchApiKey,
} from './api-keys.ts';
export {
  ANY_AUDIT_LINE,
  type AuditFilter,
  type AuditLine,
  type OperatorLine,
  type WalletChange,
  deleteOldAuditLines,
  listAuditLines,
  listOperatorLines,
  listWalletChanges,
  readAuditLines,
} from './audit.ts';
export {
  byCredential,
  byOperator,
  byRecentFactor,
  byRecentProof,
  type SessionCredential,
} from './authorize.ts';
export { byRecentOperatorProof, isOperator, OperatorExistsError, setOperator } from './operators.ts';
export {
  addSecondFactor,
  confirmSecondFactor,
  findUnconfirmedFactor,
  reauthenticate,
  removeSecondFactor,
  renameSecondFactor,
  replaceRecoveryCodes,
  resetSecondFactors,
} from './second-factors/change-factors.ts';
export {
  type FactorProof,
  type FactorSecret,
  type SecondFactor,
  factorSecretPlace,
  listSecondFactors,
  readFactorSecrets,
} from './second-factors/factors.ts';
export {
  countChallengeAttempt,
  createLoginChallenge,
  finishLogin,
} from './second-factors/login-challenges.ts';
export {
  type PasskeyOwner,
  challengeReauthentication,
  startPasskey,
} from './second-factors/start-passkey.ts';
export { createPasskeyLogin, takePasskeyChallenge } from './second-factors/passkey-challenges.ts';
export {
  type Passkey,
  type PasskeyCredential,
  addPasskey,
  findPasskey,
  listPasskeys,
  openPasskeySession,
} from './second-factors/passkeys.ts';
export { confirmEmailByLink, requestEmailChange } from './email-changes.ts';
export {
  type LinkAccount,
  findLinkAccount,
  requestPasswordReset,
  requestVerification,
  resetPasswordByLink,
  verifyEmailByLink,
} from './email-links.ts';
export {
  type OpenSession,
  endAccountSessions,
  endOneSession,
  endOtherSessions,
  listSessions,
} from './session-list.ts';
export {
  type SessionClient,
  createSession,
  endAllSessions,
  endSession,
  findSession,
  touchSession,
} from './sessions.ts';
export { type NoticeSettings, changeNoticeSettings, readNoticeSettings } from './notices.ts';
