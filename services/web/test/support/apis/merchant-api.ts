import {
  createApiKeyBodySchema,
  DEFAULT_BRANDING,
  DEFAULT_DONATION_PAGE,
  DEFAULT_OVERLAY_SETTINGS,
  updateBrandingBodySchema,
  updateDonationPageBodySchema,
  updateModerationBodySchema,
  updateOverlaySettingsBodySchema,
  updateOverlaySourcesBodySchema,
  createInvoiceBodySchema,
  createWalletBodySchema,
  projectTokenParamsSchema,
  registerBodySchema,
  setWebhookBodySchema,
  updateProjectBodySchema,
  validate,
  updateWalletBodySchema,
  createWebhookEndpointBodySchema,
  updateWebhookEndpointBodySchema,
  updateWalletChangeDelayBodySchema,
  verifyWalletBodySchema,
  type ApiKeyView,
  type AuditLineView,
  type EventDetail,
  type InvoiceView,
  type MeView,
  type Branding,
  type OperationId,
  type DonationPage,
  type Moderation,
  type NoticesView,
  type OpenSessionView,
  type OverlaySources,
  type PaymentLinkView,
  type PurchaseView,
  type UnassignedPaymentView,
  type CancelledWalletChangesView,
  type WalletStateView,
  type WebhookEndpointView,
} from '@paywatch/domain/contract';
import { withoutUpload } from '@paywatch/domain/overlay-uploads';
import {
  startContractServer,
  type Answer,
  type Call,
  type Handlers,
  type PageReader,
} from '../contract-server.ts';
import {
  apiKeyOf,
  endpointOf,
  eventOf,
  merchantInvoice,
  openSessions,
  purchaseOf,
  stats,
  walletState,
  emptyStats,
} from '../merchant-data.ts';
import { accountExport } from './leaving-api.ts';
import { FIRST_PROJECT, meIn, memberHandlers, onePerson, refusalByRole, type People } from './member-api.ts';
import { healthyDeployment, operatorHandlers, type Operated } from './operator-api.ts';
import { linkHandlers } from '../link-handlers.ts';
import { createOverlayApi, donation } from './overlay-api.ts';
import { createUploadApi } from './upload-api.ts';
import { passkeyHandlers, passkeyOptions } from './passkey-api.ts';
import { problem } from '../problem.ts';
import { noSecondFactors, secondFactorHandlers, type SecondFactorState } from './second-factor-api.ts';

/** The state of the account, for tests to set and inspect. */
export type MerchantState = {
  email: string;
  password: string;
  sessions: Set<string>;
  /** Whether the password was given long ago. */
  isPasswordNeeded: boolean;
  /** What the account area lists. */
  openSessions: OpenSessionView[];
  second: SecondFactorState;
  notices: NoticesView;
  me: MeView;
  people: People;
  operated: Operated;
  /** The code that registers the operator. */
  operatorCode: string;
  sources: OverlaySources;
  moderation: Moderation;
  donationPage: DonationPage;
  branding: Branding;
  keys: ApiKeyView[];
  audit: AuditLineView[];
  invoices: InvoiceView[];
  /** How many invoices one page of a search compares. */
  searchedAtOnce: number;
  events: EventDetail[];
  /** Further endpoints; the first one is that of the project. */
  endpoints: WebhookEndpointView[];
  links: PaymentLinkView[];
  purchases: PurchaseView[];
  unassigned: UnassignedPaymentView[];
  hasStats: boolean;
  /** Retry-After seconds of the `address_pool_busy` responses to the next creations, in order. */
  busy: number[];
  /** Requests by operation, in order. */
  calls: { id: string; body: unknown; query: string; project: string | string[] | undefined }[];
};

function searchedPage({ invoices, searchedAtOnce }: MerchantState, search: string, from: number) {
  const to = from + searchedAtOnce;
  const data = invoices
    .slice(from, to)
    .filter(({ order_id: order }) => order?.toLowerCase().includes(search));
  return { status: 200, body: { data, next_cursor: to < invoices.length ? String(to) : null } };
}

/** An account without any setup. */
function emptyAccount(): MerchantState {
  const until = new Date(Date.now() + 14 * 86_400_000).toISOString();
  return {
    email: '',
    password: '',
    sessions: new Set(),
    isPasswordNeeded: false,
    openSessions: openSessions(),
    second: noSecondFactors(),
    notices: {
      language: 'en',
      new_device: true,
      password_changed: true,
      second_factor_changed: true,
      wallet_changed: true,
      endpoint_changed: true,
      api_key_changed: true,
      endpoint_failing: true,
      pool_low: true,
      subscription_ending: true,
      members_changed: true,
      branding_changed: true,
    },
    people: onePerson(),
    operated: healthyDeployment(),
    operatorCode: 'the right operator code',
    keys: [],
    audit: [],
    invoices: [],
    searchedAtOnce: 5000,
    events: [],
    endpoints: [],
    links: [],
    purchases: [],
    unassigned: [],
    hasStats: false,
    busy: [],
    calls: [],
    sources: { goal: null, counter_since: null },
    moderation: { hold: 'none', words: [], control_token: null, control_url: null },
    donationPage: { ...DEFAULT_DONATION_PAGE },
    branding: { ...DEFAULT_BRANDING },
    me: {
      account: {
        email: 'merchant@example.com',
        email_verified: true,
        new_email: null,
        mail_enabled: true,
        is_operator: false,
        created_at: '2026-11-01T09:00:00.000Z',
      },
      project: {
        project_id: FIRST_PROJECT,
        role: 'owner',
        name: null,
        donate_token: 'tok_ada',
        donate_url: 'https://pay.example/donate/tok_ada',
        overlay_token: 'tok_overlay',
        overlay_url: 'https://pay.example/overlay/tok_overlay',
        price_margin_bps: 0,
        long_price_margin_bps: null,
        fiat_currency: null,
        embed_sites: [],
        donor_texts_days: null,
        subscription: { active: true, active_until: until },
        wallets: [],
        wallet_changes: [],
        wallet_change_delay: { seconds: 86_400, minimum_seconds: 86_400, next_seconds: null, next_at: null },
        webhook: null,
      },
    },
  };
}

/** Starts a server with one account in memory, the account area, and its overlay. */
export async function startMerchantServer() {
  const state = emptyAccount();
  const overlay = createOverlayApi();
  const uploads = createUploadApi((id) => {
    overlay.change(withoutUpload(overlay.overlay.settings, id));
  });
  const reset = () => {
    uploads.reset();
    overlay.change(DEFAULT_OVERLAY_SETTINGS);
    Object.assign(state, emptyAccount());
  };
  const handlers = recorded(state, {
    ...authHandlers(state),
    ...setupHandlers(state),
    ...guardedAll(state, linkHandlers(state)),
    ...guardedAll(state, memberHandlers(state)),
    ...guardedAll(state, operatorHandlers(state)),
    ...guardedAll(state, uploads.handlers),
    ...endpointHandlers(state),
    ...invoiceHandlers(state),
  });
  const overlayHandlers = recorded(state, {
    testOverlay: guarded(state, () => {
      const shown = donation({ donor_name: 'Test donor', test: true });
      overlay.push(shown);
      return { status: 202, body: shown };
    }),
    getDonationPage: guarded(state, () => ({ status: 200, body: state.donationPage })),
    updateDonationPage: guarded(
      state,
      withBody(updateDonationPageBodySchema, (change) => {
        Object.assign(state.donationPage, change);
        return { status: 200, body: state.donationPage };
      }),
    ),
    getBranding: guarded(state, () => ({ status: 200, body: state.branding })),
    updateBranding: guarded(
      state,
      withBody(updateBrandingBodySchema, (change) => {
        Object.assign(state.branding, change);
        return { status: 200, body: state.branding };
      }),
    ),
    getModeration: guarded(state, () => ({ status: 200, body: state.moderation })),
    updateModeration: guarded(state, ({ body }) => {
      Object.assign(state.moderation, updateModerationBodySchema.parse(body));
      return { status: 200, body: state.moderation };
    }),
    getOverlaySources: guarded(state, () => ({ status: 200, body: state.sources })),
    updateOverlaySources: guarded(
      state,
      withBody(updateOverlaySourcesBodySchema, (body) => {
        Object.assign(state.sources, body);
        overlay.summarize({ goal: body.goal ? { ...body.goal, reached: body.goal.added } : null });
        return { status: 200, body: state.sources };
      }),
    ),
    getOverlaySettings: guarded(state, () => ({ status: 200, body: overlay.overlay.settings })),
    updateOverlaySettings: guarded(state, ({ body }) => ({
      status: 200,
      body: overlay.change(updateOverlaySettingsBodySchema.parse(body)),
    })),
  });
  const server = await startContractServer({
    handlers: { ...handlers, ...overlayHandlers },
    streams: { ...overlay.streams, ...uploads.streams },
    pages: merchantPage,
  });
  return { ...server, state, reset };
}

const merchantPage: PageReader = (path, _method, _fields, query) => {
  if (path.startsWith('/overlay/')) return { page: 'overlay', source: query.get('source') };
  return path === '/account' || path.startsWith('/account/') ? { page: 'account', hasSession: true } : null;
};

type Handler = (call: Call) => Answer | Promise<Answer>;

/** Requires a session, in a cookie that was sent by a page. */
function guarded(state: MerchantState, handler: Handler): Handler {
  return (call) => {
    const { cookie = '', 'x-paywatch-page': page } = call.request.headers;
    const [token = ''] = /ses_\d+/.exec(cookie) ?? [];
    if (!state.sessions.has(token)) return problem('unauthorized');
    return page === 'account' ? handler(call) : problem('forbidden');
  };
}

function guardedAll(state: MerchantState, handlers: Handlers): Handlers {
  const entries = Object.entries(handlers).map(([id, handler]) => [id, guarded(state, handler)]);
  return Object.fromEntries(entries);
}

function recorded(state: MerchantState, handlers: Handlers): Handlers {
  const entries = Object.entries(handlers).map(([id, handler]) => [
    id,
    (call: Call) => {
      const project = call.request.headers['paywatch-project'];
      state.calls.push({ id, body: call.body, query: call.query.toString(), project });
      return refusalByRole(state, id as OperationId, project) ?? handler(call);
    },
  ]);
  return Object.fromEntries(entries);
}

/** Validates the body against the contract; rejects invalid ones like the API. */
function withBody<Schema extends Parameters<typeof validate>[1]>(
  schema: Schema,
  act: (body: Extract<ReturnType<typeof validate<Schema>>, { ok: true }>['value']) => Answer,
): Handler {
  return ({ body }) => {
    const checked = validate('body', schema, body ?? {});
    return checked.ok ? act(checked.value) : problem('validation_error', { errors: [...checked.errors] });
  };
}

const done: Answer = { status: 200, body: { ok: true } };

function authHandlers(state: MerchantState): Handlers {
  let count = 0;
  const openSession = (): Answer => {
    const token = `ses_${++count}`;
    state.sessions.add(token);
    const expiresAt = new Date(Date.now() + 7 * 86_400_000).toISOString();
    const headers = { 'Set-Cookie': `paywatch_session=${token}; Path=/; HttpOnly; SameSite=Strict` };
    return { status: 200, body: { session_token: token, expires_at: expiresAt }, headers };
  };
  const guard = (handler: Handler) => guarded(state, handler);
  return {
    ...secondFactorHandlers(state, { guard, openSession }),
    ...passkeyHandlers(state, { guard, openSession }),
    register: withBody(registerBodySchema, ({ email, password, operator_code: code }) => {
      if (code !== undefined && code !== state.operatorCode)
        return problem('validation_error', {
          errors: [{ path: 'body.operator_code', message: 'This code is wrong or was used before.' }],
        });
      state.me.account.is_operator = code !== undefined;
      if (state.email === '') Object.assign(state, { email, password });
      state.me.account.email = state.email;
      return { status: 201, body: { ok: true } };
    }),
    login: ({ body }) => {
      const { email, password } = body as { email: string; password: string };
      if (email !== state.email || password !== state.password) return problem('invalid_credentials');
      const { factors } = state.second;
      if (factors.length === 0) return openSession();
      const passkey = factors.some(({ kind }) => kind === 'passkey') ? passkeyOptions() : null;
      return problem('second_factor_required', { challenge: 'challenge', passkey });
    },
    logout: guarded(state, ({ request }) => {
      state.sessions.delete(/ses_\d+/.exec(request.headers.cookie ?? '')?.[0] ?? '');
      return done;
    }),
    listSessions: guarded(state, () => ({ status: 200, body: { data: state.openSessions } })),
    endSession: guarded(state, ({ params }) => {
      const left = state.openSessions.filter(({ session_id: id }) => id !== params['sessionId']);
      if (left.length === state.openSessions.length) return problem('session_not_found');
      state.openSessions = left;
      return done;
    }),
    confirmPassword: guarded(state, ({ body }) => {
      if ((body as { current_password: string }).current_password !== state.password)
        return problem('invalid_credentials');
      state.isPasswordNeeded = false;
      return { status: 200, body: { valid_until: '2026-11-20T12:10:00.000Z' } };
    }),
    logoutOthers: guarded(state, () => {
      const ended = state.openSessions.filter(({ current }) => !current).length;
      state.openSessions = state.openSessions.filter(({ current }) => current);
      return { status: 200, body: { ended } };
    }),
    logoutAll: guarded(state, () => {
      state.sessions.clear();
      return done;
    }),
    changePassword: guarded(state, ({ body }) => {
      const { current_password: current, new_password: next } = body as Record<string, string>;
      if (current !== state.password) return problem('invalid_credentials');
      state.password = next ?? '';
      state.sessions.clear();
      return done;
    }),
    forgotPassword: () => done,
    resetPassword: ({ body }) => {
      const { token, new_password: next } = body as Record<string, string>;
      if (token !== 'good') return problem('link_expired');
      state.password = next ?? '';
      return done;
    },
    verifyEmail: ({ body }) => {
      const { token, password } = body as Record<string, string>;
      if (token !== 'good') return problem('link_expired');
      if (password !== state.password) return problem('invalid_credentials');
      state.me.account.email_verified = true;
      return done;
    },
    resendVerification: guarded(state, () => done),
    changeEmail: guarded(state, ({ body }) => {
      const { current_password: current, new_email: email } = body as Record<string, string>;
      if (current !== state.password) return problem('invalid_credentials');
      state.me.account.new_email = email ?? '';
      return done;
    }),
    confirmEmail: ({ body }) => {
      const { token } = body as Record<string, string>;
      return token === 'good' ? { status: 200, body: { changed: true } } : problem('link_expired');
    },
    cancelWalletChanges: ({ body }) => {
      const { token } = body as Record<string, string>;
      if (token === 'late') return { status: 200, body: { cancelled: [] } };
      return token === 'good' ? { status: 200, body: cancelledOf([walletState()]) } : problem('link_expired');
    },
    getNotices: guarded(state, () => ({ status: 200, body: state.notices })),
    updateNotices: guarded(state, ({ body }) => {
      Object.assign(state.notices, body);
      return { status: 200, body: state.notices };
    }),
    getMe: guarded(state, ({ request }) => ({ status: 200, body: meIn(state, request) })),
    updateProject: guarded(
      state,
      withBody(updateProjectBodySchema, (change) => {
        Object.assign(state.me.project, change);
        return { status: 200, body: state.me.project };
      }),
    ),
    rotateProjectToken: guarded(state, ({ params }) => {
      const { kind } = projectTokenParamsSchema.parse(params);
      const url = `https://pay.example/${kind}/tok_new`;
      const holder = kind === 'control' ? state.moderation : state.me.project;
      Object.assign(holder, { [`${kind}_token`]: 'tok_new', [`${kind}_url`]: url });
      return { status: 200, body: { kind, token: 'tok_new', url } };
    }),
  };
}

const cancelledOf = (wallets: readonly WalletStateView[]): CancelledWalletChangesView => ({
  cancelled: wallets.map(({ currency, verification_address }) => ({ currency, verification_address })),
});

const listOf = (data: unknown[]): Answer => ({ status: 200, body: { data, next_cursor: null } });

/** The key that a request describes. */
function newKey(body: unknown): ApiKeyView {
  const checked = createApiKeyBodySchema.parse(body ?? {});
  const { name, scope, scopes, expires_at: expiresAtMs, allowed_addresses: ranges } = checked;
  return apiKeyOf({
    name,
    ...(scopes === null ? { scope: scope ?? 'full' } : { scope: 'custom', scopes }),
    expires_at: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
    allowed_addresses: ranges,
    created_at: new Date().toISOString(),
  });
}

function setupHandlers(state: MerchantState): Handlers {
  const { project } = state.me;
  return {
    createApiKey: guarded(state, ({ body }) => {
      if (state.isPasswordNeeded) return problem('password_required');
      const { last_used_at: _at, last_used_ip: _ip, revoked_at: _revoked, ...key } = newKey(body);
      state.keys.unshift(newKey(body));
      return { status: 201, body: { ...key, token: `pw_7Hq2VxN9_${'s'.repeat(32)}` } };
    }),
    listAuditLog: guarded(state, ({ query }) => {
      const action = query.get('action');
      return listOf(state.audit.filter((line) => action === null || line.action === action));
    }),
    deleteAccount: guarded(state, ({ body }) => {
      const { email, current_password: current } = body as Record<string, string>;
      if (email !== state.email)
        return problem('validation_error', {
          errors: [{ path: 'body.email', message: 'is not the email of this account' }],
        });
      if (current !== state.password) return problem('invalid_credentials');
      state.sessions.clear();
      return done;
    }),
    exportAccount: guarded(state, () =>
      state.isPasswordNeeded ? problem('password_required') : { status: 200, body: accountExport(state) },
    ),
    exportEvents: guarded(state, () => ({ status: 200, body: 'id\r\n' })),
    exportAuditLog: guarded(state, () => ({ status: 200, body: 'at,action\r\n' })),
    exportInvoices: guarded(state, () => ({ status: 200, body: 'public_id\r\n' })),
    exportPayments: guarded(state, () => ({ status: 200, body: 'txid\r\n' })),
    listApiKeys: guarded(state, () => listOf(state.keys)),
    revokeApiKey: guarded(state, ({ params }) => {
      const key = state.keys.find(({ key_public: known }) => known === params['keyPublic']);
      if (key === undefined) return problem('key_not_found');
      key.revoked_at = new Date().toISOString();
      return { status: 200, body: key };
    }),
    createWallet: guarded(
      state,
      withBody(createWalletBodySchema, ({ currency, xpub }) => {
        if (xpub.startsWith('xprv')) {
          const message = 'Is a private key. Never give it to anyone.';
          return problem('validation_error', { errors: [{ path: 'body.xpub', message }] });
        }
        const wallet = walletState({ currency, verified: false });
        state.me.project.wallets.push(wallet);
        const { addresses: _addresses, ...view } = wallet;
        return { status: 201, body: { ...view, notice: 'Set the gap limit of your wallet to at least 20.' } };
      }),
    ),
    verifyWallet: guarded(
      state,
      withBody(verifyWalletBodySchema, ({ address }) => {
        const wallet = state.me.project.wallets.find(({ verified }) => !verified);
        if (wallet === undefined) return problem('wallet_not_found');
        if (address !== wallet.verification_address) {
          return problem('address_mismatch', { detail: 'The address belongs to the same key as p2pkh.' });
        }
        Object.assign(wallet, { verified: true, serving: true, effective_at: new Date().toISOString() });
        const { addresses: _addresses, ...view } = wallet;
        return { status: 200, body: { ...view, notice: 'Set the gap limit of your wallet to at least 20.' } };
      }),
    ),
    cancelWalletChange: guarded(state, ({ params }) => {
      const isPending = (wallet: WalletStateView) =>
        wallet.verified && !wallet.serving && wallet.currency === params['currency'];
      const pending = state.me.project.wallets.filter(isPending);
      if (pending.length === 0) return problem('wallet_change_not_found');
      state.me.project.wallets = state.me.project.wallets.filter((wallet) => !isPending(wallet));
      return { status: 200, body: cancelledOf(pending) };
    }),
    updateWalletChangeDelay: guarded(
      state,
      withBody(updateWalletChangeDelayBodySchema, ({ seconds }) => {
        const delay = state.me.project.wallet_change_delay;
        const isShorter = seconds < delay.seconds;
        const nextAt = new Date(Date.now() + delay.seconds * 1000).toISOString();
        Object.assign(delay, {
          seconds: isShorter ? delay.seconds : seconds,
          next_seconds: isShorter ? seconds : null,
          next_at: isShorter ? nextAt : null,
        });
        return { status: 200, body: state.me.project };
      }),
    ),
    updateWallet: guarded(
      state,
      withBody(updateWalletBodySchema, ({ gap_limit: gapLimit }) => {
        const wallet = state.me.project.wallets.find(({ verified }) => verified);
        if (wallet === undefined) return problem('wallet_not_found');
        wallet.gap_limit = gapLimit;
        const { addresses: _addresses, ...view } = wallet;
        return {
          status: 200,
          body: { ...view, notice: `Set the gap limit of your wallet to at least ${gapLimit}.` },
        };
      }),
    ),
    setWebhook: guarded(
      state,
      withBody(setWebhookBodySchema, ({ url }) => {
        const createdAt = new Date().toISOString();
        state.me.project.webhook = { url, created_at: createdAt, status: 'healthy', failing_since: null };
        return { status: 201, body: { url, secret: `whsec_${'A'.repeat(43)}=`, created_at: createdAt } };
      }),
    ),
    testWebhook: guarded(state, ({ body }) => {
      if (project.webhook === null && state.me.project.webhook === null)
        return problem('webhook_not_configured');
      const event = eventOf({ type: (body as { type: 'invoice.confirmed' }).type, test: true });
      state.events.unshift(event);
      return { status: 202, body: event };
    }),
    listUnassignedPayments: guarded(state, () => listOf(state.unassigned)),
    listEvents: guarded(state, ({ query }) => {
      const id = query.get('public_id');
      const type = query.get('type');
      return listOf(
        state.events.filter(
          (event) => (id === null || event.public_id === id) && (type === null || event.type === type),
        ),
      );
    }),
    getEvent: guarded(state, ({ params }) => {
      const event = state.events.find(({ id }) => id === params['id']);
      return event ? { status: 200, body: event } : problem('event_not_found');
    }),
    redeliverEvent: guarded(state, ({ params }) => {
      const event = state.events.find(({ id }) => id === params['id']);
      if (event === undefined) return problem('event_not_found');
      event.delivery = { ...event.delivery, status: 'pending' };
      return { status: 202, body: event };
    }),
  };
}

const SECRET = `whsec_${'A'.repeat(43)}=`;

/** All endpoints of the account, the first one before the others. */
function endpointsOf({ me, endpoints }: MerchantState): WebhookEndpointView[] {
  const { webhook } = me.project;
  return webhook === null ? endpoints : [endpointOf({ ...webhook, first: true }), ...endpoints];
}

function endpointHandlers(state: MerchantState): Handlers {
  /** Answers with the endpoint of the path and what `act` adds, or like the API. */
  const withEndpoint = (act: (endpoint: WebhookEndpointView, body: unknown) => object): Handler =>
    guarded(state, ({ params, body }) => {
      const endpoint = endpointsOf(state).find(({ id }) => id === params['endpointId']);
      if (endpoint === undefined) return problem('endpoint_not_found');
      return { status: 200, body: { ...endpoint, ...act(endpoint, body) } };
    });
  return {
    listWebhookEndpoints: guarded(state, () => ({ status: 200, body: { data: endpointsOf(state) } })),
    createWebhookEndpoint: guarded(
      state,
      withBody(createWebhookEndpointBodySchema, (body) => {
        const endpoint = endpointOf({ id: `we_${state.endpoints.length + 2}`, ...body, status: 'untested' });
        state.endpoints.push(endpoint);
        return { status: 201, body: { ...endpoint, secret: SECRET } };
      }),
    ),
    updateWebhookEndpoint: withEndpoint((endpoint, body) => {
      const { disabled, ...terms } = updateWebhookEndpointBodySchema.parse(body);
      const status = disabled === undefined ? endpoint.status : disabled ? 'disabled' : 'untested';
      return Object.assign(endpoint, terms, { status });
    }),
    deleteWebhookEndpoint: withEndpoint((endpoint) => {
      state.endpoints = state.endpoints.filter((each) => each !== endpoint);
      return {};
    }),
    rotateWebhookSecret: withEndpoint(() => ({ secret: SECRET })),
  };
}

function invoiceHandlers(state: MerchantState): Handlers {
  return {
    createInvoice: guarded(
      state,
      withBody(createInvoiceBodySchema, (body) => {
        if (!state.me.project.wallets.some(({ verified }) => verified)) return problem('wallet_not_verified');
        const retryAfter = state.busy.shift();
        if (retryAfter !== undefined) return problem('address_pool_busy', { retryAfter });
        const amount = String(body.expected_amount);
        const invoice = merchantInvoice({
          public_id: `inv_new${'ABC'[state.invoices.length] ?? 'Z'}`,
          currency: body.currency,
          expected_amount: amount,
          due_amount: amount,
          order_id: body.order_id,
        });
        state.invoices.unshift(invoice);
        return { status: 201, body: invoice };
      }),
    ),
    listInvoices: guarded(state, ({ query }) => {
      const search = query.get('search')?.toLowerCase();
      if (search !== undefined) return searchedPage(state, search, Number(query.get('cursor') ?? 0));
      const matches = (invoice: InvoiceView) =>
        ['status', 'type', 'currency', 'order_id'].every((name) => {
          const wanted = query.get(name);
          return wanted === null || invoice[name as 'status'] === wanted;
        }) &&
        (query.get('reversed') !== 'true' || invoice.reversed);
      const found = state.invoices.filter(matches);
      const from = Number(query.get('cursor') ?? 0);
      const limit = Number(query.get('limit') ?? 50);
      const next = from + limit < found.length ? String(from + limit) : null;
      return { status: 200, body: { data: found.slice(from, from + limit), next_cursor: next } };
    }),
    getInvoice: guarded(state, ({ params }) => {
      const invoice = state.invoices.find(({ public_id: id }) => id === params['publicId']);
      return invoice ? { status: 200, body: invoice } : problem('invoice_not_found');
    }),
    extendInvoice: guarded(state, ({ params }) => {
      const invoice = state.invoices.find(({ public_id: id }) => id === params['publicId']);
      if (invoice === undefined) return problem('invoice_not_found');
      if (invoice.extended) return problem('already_extended');
      invoice.extended = true;
      return { status: 200, body: invoice };
    }),
    getSubscription: guarded(state, () => ({
      status: 200,
      body: {
        ...state.me.project.subscription,
        offer: { days: 30, prices: [{ currency: 'BTC', amount: '30000' }] },
        purchases: state.purchases,
      },
    })),
    createPurchase: guarded(state, () => {
      const bought = purchaseOf({ pay_url: '/account/settings' });
      state.purchases.unshift(bought);
      return { status: 201, body: bought };
    }),
    getStats: guarded(state, () => ({ status: 200, body: state.hasStats ? stats() : emptyStats() })),
  };
}
