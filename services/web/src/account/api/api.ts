import type {
  AccountExport,
  AddPasskeyBody,
  ApiKeyList,
  ApiKeyView,
  AuditLogView,
  CancelledWalletChangesView,
  ConfirmedEmailView,
  ConfirmedFactorView,
  CreateApiKeyInput,
  CreateInvoiceInput,
  CreateWalletInput,
  CreatePaymentLinkInput,
  CreateWebhookEndpointInput,
  Currency,
  Branding,
  DonationPage,
  DoneView,
  EndedSessionsView,
  EventDetail,
  EventList,
  EventType,
  EventView,
  FactorList,
  FactorProofBody,
  FactorView,
  InvitationView,
  InvoiceList,
  InvoiceView,
  MailLanguage,
  MembersView,
  MemberView,
  MeView,
  Moderation,
  NewApiKeyView,
  NewWebhookEndpointView,
  NewFactorView,
  NewWebhookView,
  NoticesView,
  OverlayDonation,
  OverlaySettings,
  OverlaySources,
  PasskeyAssertion,
  PasskeyCreationView,
  PasskeyRequestView,
  PaymentLinkList,
  PaymentLinkView,
  ProjectList,
  ProjectRole,
  ProjectSummaryView,
  ProjectView,
  UpdateBrandingInput,
  UpdateDonationPageInput,
  UpdateModerationBody,
  UpdateProjectInput,
  PurchaseView,
  ReauthenticationView,
  RecoveryCodesView,
  RotatedTokenView,
  SessionList,
  SessionView,
  StatsView,
  SubscriptionView,
  UnassignedPaymentList,
  UpdatePaymentLinkInput,
  UpdateWebhookEndpointInput,
  UploadKind,
  UploadList,
  UploadView,
  WalletView,
  WebhookEndpointList,
  WebhookEndpointView,
} from '@paywatch/domain/contract';
import { UPLOAD_LIMITS } from '@paywatch/domain/limits';
import { callApi, callFile, type ApiRequest, type ApiResult } from './api-call.ts';

/** The operations that the account area uses, named as in the OpenAPI document. */
export type AccountApi = ReturnType<typeof createApi>;
type Query = Readonly<Record<string, string>>;
type Credentials = { email: string; password: string };
type Registration = Credentials & { language: MailLanguage; operator_code: string | undefined };

/** What the reader is asked for before a change. */
export type ProofKind = 'code' | 'password';
const PROOFS: ReadonlyMap<string, ProofKind> = new Map([
  ['reauthentication_required', 'code'],
  ['password_required', 'password'],
]);

/** The project that the requests act on, and what follows from responses that no screen can handle. */
type Surroundings = {
  /** Its id; null for the first one of the account. */
  project: string | null;
  /** The account has no access to the project any more. */
  onProjectLost: (id: string) => void;
  /** The API rejected the session. */
  onEnded: () => void;
  /** A change needs a second factor or the password. Resolves to whether it was given. */
  prove: (kind: ProofKind) => Promise<boolean>;
};

/** The operations, called with the session of this browser. A change that needs a code or the password is repeated once it was given. */
export function createApi({ project, onProjectLost, onEnded, prove }: Surroundings) {
  const noteEnd = <Value>(result: ApiResult<Value>): ApiResult<Value> => {
    if (!result.ok && result.problem.code === 'unauthorized') onEnded();
    if (!result.ok && result.problem.code === 'project_not_found' && project !== null) onProjectLost(project);
    return result;
  };
  const send = async <Value>(request: ApiRequest) => noteEnd(await callApi<Value>({ ...request, project }));
  const download = async (request: ApiRequest) => noteEnd(await callFile({ ...request, project }));
  const call = async <Value>(request: ApiRequest) => {
    const result = await send<Value>(request);
    const kind = result.ok ? undefined : PROOFS.get(result.problem.code);
    if (kind === undefined) return result;
    return (await prove(kind)) ? send<Value>(request) : result;
  };
  const ahead = new Map<string, Promise<ApiResult<unknown>>>();
  const read = <Value>(path: string, query: Query = {}): Promise<ApiResult<Value>> => {
    const key = JSON.stringify({ path, query });
    const started = ahead.get(key);
    ahead.delete(key);
    // The path determines the type of the response, as in every other call.
    return started === undefined ? call<Value>({ path, query }) : (started as Promise<ApiResult<Value>>);
  };
  const post = <Value>(path: string, body?: unknown) => call<Value>({ method: 'POST', path, body });
  return {
    /** Sends requests before the script that needs their responses is loaded. Each response is used once. */
    readAhead: (requests: readonly { path: string; query: Query }[]) => {
      for (const request of requests) ahead.set(JSON.stringify(request), call(request));
    },
    /** Any request, for screens that are loaded with operations of their own. */
    request: call,
    register: (body: Registration) => post<DoneView>('/v1/auth/register', body),
    login: (body: Credentials) => post<SessionView>('/v1/auth/login', body),
    verifyLogin: (body: { challenge: string } & FactorProofBody) =>
      post<SessionView>('/v1/auth/login/verify', body),
    startPasskeyLogin: () => post<PasskeyRequestView>('/v1/auth/login/passkey/options'),
    loginWithPasskey: (passkey: PasskeyAssertion) => post<SessionView>('/v1/auth/login/passkey', { passkey }),
    startReauthentication: () => post<PasskeyRequestView>('/v1/auth/reauthenticate/options'),
    reauthenticate: (body: FactorProofBody) => post<ReauthenticationView>('/v1/auth/reauthenticate', body),
    confirmPassword: (password: string) =>
      post<ReauthenticationView>('/v1/auth/confirm-password', { current_password: password }),
    logout: () => post<DoneView>('/v1/auth/logout'),
    logoutAll: () => post<DoneView>('/v1/auth/logout-all'),
    listSessions: () => call<SessionList>({ path: '/v1/sessions' }),
    endOneSession: (id: string) =>
      call<DoneView>({ method: 'DELETE', path: `/v1/sessions/${encodeURIComponent(id)}` }),
    logoutOthers: () => post<EndedSessionsView>('/v1/auth/logout-others'),
    changePassword: (body: { current_password: string; new_password: string }) =>
      post<DoneView>('/v1/auth/change-password', body),
    forgotPassword: (email: string) => post<DoneView>('/v1/auth/forgot-password', { email }),
    resetPassword: (body: { token: string; new_password: string }) =>
      post<DoneView>('/v1/auth/reset-password', body),
    verifyEmail: (body: { token: string; password: string }) => post<DoneView>('/v1/auth/verify-email', body),
    resendVerification: () => post<DoneView>('/v1/auth/resend-verification'),
    changeEmail: (body: { current_password: string; new_email: string }) =>
      post<DoneView>('/v1/auth/change-email', body),
    cancelWalletChanges: (body: { token: string }) =>
      post<CancelledWalletChangesView>('/v1/auth/cancel-wallet-changes', body),
    confirmEmail: (body: { token: string }) => post<ConfirmedEmailView>('/v1/auth/confirm-email', body),
    listSecondFactors: () => call<FactorList>({ path: '/v1/second-factors' }),
    addSecondFactor: (body: { name: string; current_password: string }) =>
      post<NewFactorView>('/v1/second-factors', body),
    confirmSecondFactor: (id: string, code: string) =>
      post<ConfirmedFactorView>(`/v1/second-factors/${encodeURIComponent(id)}/confirm`, { code }),
    startPasskey: (body: { current_password: string }) =>
      post<PasskeyCreationView>('/v1/second-factors/passkeys/options', body),
    addPasskey: (body: AddPasskeyBody) => post<ConfirmedFactorView>('/v1/second-factors/passkeys', body),
    renameSecondFactor: (id: string, name: string) =>
      call<FactorView>({
        method: 'PATCH',
        path: `/v1/second-factors/${encodeURIComponent(id)}`,
        body: { name },
      }),
    removeSecondFactor: (id: string) =>
      call<DoneView>({ method: 'DELETE', path: `/v1/second-factors/${encodeURIComponent(id)}` }),
    replaceRecoveryCodes: () => post<RecoveryCodesView>('/v1/recovery-codes'),
    getNotices: () => call<NoticesView>({ path: '/v1/notices' }),
    updateNotices: (body: Partial<NoticesView>) =>
      call<NoticesView>({ method: 'PATCH', path: '/v1/notices', body }),
    getMe: () => read<MeView>('/v1/me'),
    listProjects: () => read<ProjectList>('/v1/projects'),
    createProject: (name: string) => post<ProjectSummaryView>('/v1/projects', { name }),
    listMembers: () => call<MembersView>({ path: '/v1/members' }),
    inviteMember: (body: { email: string; role: ProjectRole }) =>
      post<InvitationView>('/v1/members/invitations', body),
    cancelInvitation: (id: string) =>
      call<InvitationView>({ method: 'DELETE', path: `/v1/members/invitations/${id}` }),
    acceptInvitation: (token: string) => post<ProjectSummaryView>('/v1/invitations/accept', { token }),
    updateMember: (id: string, role: ProjectRole) =>
      call<MemberView>({ method: 'PATCH', path: `/v1/members/${id}`, body: { role } }),
    removeMember: (id: string) => call<MemberView>({ method: 'DELETE', path: `/v1/members/${id}` }),
    leaveProject: () => call<DoneView>({ method: 'DELETE', path: '/v1/members/me' }),
    updateProject: (body: UpdateProjectInput) =>
      call<ProjectView>({ method: 'PATCH', path: '/v1/project', body }),
    updateWalletChangeDelay: (seconds: number) =>
      call<ProjectView>({ method: 'PATCH', path: '/v1/project/wallet-change-delay', body: { seconds } }),
    rotateProjectToken: (kind: 'donate' | 'overlay' | 'control') =>
      post<RotatedTokenView>(`/v1/project/tokens/${kind}/rotate`),
    listAuditLog: (query: Query) => call<AuditLogView>({ path: '/v1/audit-log', query }),
    exportAuditLog: (query: Query) => download({ path: '/v1/audit-log/export', query }),
    exportAccount: () => call<AccountExport>({ path: '/v1/account/export' }),
    deleteAccount: (body: { email: string; current_password: string }) =>
      post<DoneView>('/v1/account/delete', body),
    exportFile: (kind: 'invoices' | 'payments' | 'events', query: Query) =>
      download({ path: `/v1/exports/${kind}`, query }),
    createApiKey: (body: CreateApiKeyInput) => post<NewApiKeyView>('/v1/api-keys', body),
    listApiKeys: (query: Query) => read<ApiKeyList>('/v1/api-keys', query),
    revokeApiKey: (keyPublic: string) =>
      call<ApiKeyView>({ method: 'DELETE', path: `/v1/api-keys/${encodeURIComponent(keyPublic)}` }),
    createWallet: (body: CreateWalletInput) => post<WalletView>('/v1/wallets', body),
    updateWallet: (currency: Currency, gapLimit: number) =>
      call<WalletView>({ method: 'PATCH', path: `/v1/wallets/${currency}`, body: { gap_limit: gapLimit } }),
    cancelWalletChange: (currency: Currency) =>
      post<CancelledWalletChangesView>(`/v1/wallets/${currency}/cancel-change`),
    verifyWallet: (currency: Currency, address: string) =>
      post<WalletView>(`/v1/wallets/${currency}/verify`, { address }),
    listUnassignedPayments: (query: Query) =>
      call<UnassignedPaymentList>({ path: '/v1/unassigned-payments', query }),
    setWebhook: (url: string) => post<NewWebhookView>('/v1/webhooks', { url }),
    listEndpoints: () => call<WebhookEndpointList>({ path: '/v1/webhook-endpoints' }),
    createEndpoint: (body: CreateWebhookEndpointInput) =>
      post<NewWebhookEndpointView>('/v1/webhook-endpoints', body),
    updateEndpoint: (id: string, body: UpdateWebhookEndpointInput) =>
      call<WebhookEndpointView>({ method: 'PATCH', path: `/v1/webhook-endpoints/${id}`, body }),
    deleteEndpoint: (id: string) =>
      call<WebhookEndpointView>({ method: 'DELETE', path: `/v1/webhook-endpoints/${id}` }),
    rotateWebhookSecret: (id: string) =>
      post<NewWebhookEndpointView>(`/v1/webhook-endpoints/${id}/rotate-secret`),
    testWebhook: (type: EventType, endpointId?: string) =>
      post<EventView>('/v1/webhooks/test', { type, endpoint_id: endpointId }),
    listLinks: () => call<PaymentLinkList>({ path: '/v1/payment-links' }),
    createLink: (body: CreatePaymentLinkInput) => post<PaymentLinkView>('/v1/payment-links', body),
    updateLink: (id: string, body: UpdatePaymentLinkInput) =>
      call<PaymentLinkView>({ method: 'PATCH', path: `/v1/payment-links/${id}`, body }),
    deleteLink: (id: string) => call<PaymentLinkView>({ method: 'DELETE', path: `/v1/payment-links/${id}` }),
    rotateLink: (id: string) => post<PaymentLinkView>(`/v1/payment-links/${id}/rotate-token`),
    listEvents: (query: Query) => call<EventList>({ path: '/v1/events', query }),
    getEvent: (id: string) => call<EventDetail>({ path: `/v1/events/${encodeURIComponent(id)}` }),
    redeliverEvent: (id: string) => post<EventView>(`/v1/events/${encodeURIComponent(id)}/redeliver`),
    createInvoice: (body: CreateInvoiceInput) => post<InvoiceView>('/v1/invoices', body),
    listInvoices: (query: Query) => read<InvoiceList>('/v1/invoices', query),
    getInvoice: (id: string) => call<InvoiceView>({ path: `/v1/invoices/${encodeURIComponent(id)}` }),
    extendInvoice: (id: string) => post<InvoiceView>(`/v1/invoices/${encodeURIComponent(id)}/extend`),
    getSubscription: () => call<SubscriptionView>({ path: '/v1/subscription' }),
    createPurchase: (currency: Currency) => post<PurchaseView>('/v1/subscription/purchases', { currency }),
    getStats: () => read<StatsView>('/v1/stats'),
    getOverlaySettings: () => call<OverlaySettings>({ path: '/v1/overlay/settings' }),
    updateOverlaySettings: (body: Partial<OverlaySettings>) =>
      call<OverlaySettings>({ method: 'PATCH', path: '/v1/overlay/settings', body }),
    getOverlaySources: () => call<OverlaySources>({ path: '/v1/overlay/sources' }),
    updateOverlaySources: (body: Partial<OverlaySources>) =>
      call<OverlaySources>({ method: 'PATCH', path: '/v1/overlay/sources', body }),
    listUploads: () => call<UploadList>({ path: '/v1/uploads' }),
    createUpload: (kind: UploadKind, file: File) => {
      // An emoji that is cut in half would not be valid.
      const name = Array.from(file.name).slice(0, UPLOAD_LIMITS.fileName.maxLength).join('');
      return call<UploadView>({ method: 'POST', path: '/v1/uploads', query: { kind, name }, file });
    },
    deleteUpload: (id: string) => call<UploadView>({ method: 'DELETE', path: `/v1/uploads/${id}` }),
    getDonationPage: () => call<DonationPage>({ path: '/v1/donation-page' }),
    updateDonationPage: (body: UpdateDonationPageInput) =>
      call<DonationPage>({ method: 'PATCH', path: '/v1/donation-page', body }),
    getBranding: () => call<Branding>({ path: '/v1/branding' }),
    updateBranding: (body: UpdateBrandingInput) =>
      call<Branding>({ method: 'PATCH', path: '/v1/branding', body }),
    getModeration: () => call<Moderation>({ path: '/v1/overlay/moderation' }),
    updateModeration: (body: UpdateModerationBody) =>
      call<Moderation>({ method: 'PATCH', path: '/v1/overlay/moderation', body }),
    testOverlay: () => post<OverlayDonation>('/v1/overlay/test'),
  };
}
