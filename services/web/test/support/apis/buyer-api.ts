import {
  buyByPaymentLinkBodySchema,
  validate,
  type BuyByPaymentLinkBody,
  type ErrorCode,
  type PublicPaymentLink,
} from '@paywatch/domain/contract';
import { startContractServer, type Answer, type Handlers, type PageReader } from '../contract-server.ts';
import { invoice } from '../invoices.ts';
import { createPayerApi } from './payer-api.ts';
import { problem } from '../problem.ts';
import { loadRenderer } from '../renderer.ts';

/** A payment link that sells tickets for a price in both coins. */
export function paymentLink(changes: Partial<PublicPaymentLink> = {}): PublicPaymentLink {
  return {
    branding: null,
    project_name: 'Ada plays chess',
    title: 'Simultaneous display, one board',
    description: 'Saturday, 20:00.\nBring your own clock.',
    price: { amount: '19.99', currency: 'EUR' },
    amount: null,
    currencies: ['BTC', 'LTC'],
    single_use: false,
    available: 12,
    status: 'open',
    accepting: true,
    ...changes,
  };
}

/** Starts a server with payment links in memory and the payment pages of their purchases. */
export async function startBuyerServer() {
  const payer = createPayerApi();
  const links = new Map<string, PublicPaymentLink>([['tok_board', paymentLink()]]);
  const state = {
    refusal: null as { code: ErrorCode; retryAfter?: number } | null,
    bought: [] as BuyByPaymentLinkBody[],
    /** The Idempotency-Key of each call that the API answered or lost. */
    keys: [] as (string | undefined)[],
    /** How many of the next purchases are made without a response, as in a lost connection. */
    lostAnswers: 0,
    /** The sites that may frame the pages. */
    sites: [] as string[],
  };
  const answers = new Map<string, Answer>();
  const buy = (token: string, body: unknown): Answer => {
    if (!links.has(token)) return problem('not_found');
    if (state.refusal !== null) return problem(state.refusal.code, state.refusal);
    const checked = validate('body', buyByPaymentLinkBodySchema, body);
    if (!checked.ok) return problem('validation_error', { errors: [...checked.errors] });
    const publicId = `inv_${'ABCDEFGH'[state.bought.push(checked.value)] ?? 'Z'}`;
    payer.put(invoice({ public_id: publicId, currency: checked.value.currency }, Date.now()));
    return { status: 201, body: { public_id: publicId, pay_url: `https://pay.example/pay/${publicId}` } };
  };
  const handlers: Handlers = {
    ...payer.handlers,
    getPublicPaymentLink: ({ params }) => {
      const link = links.get(params['token'] ?? '');
      return link ? { status: 200, body: link } : problem('not_found');
    },
    buyByPaymentLink: ({ params, body, request }) => {
      const key = request.headers['idempotency-key'] as string | undefined;
      const earlier = key === undefined ? undefined : answers.get(key);
      state.keys.push(key);
      const answer = earlier ?? buy(params['token'] ?? '', body);
      if (key !== undefined) answers.set(key, answer);
      if (state.lostAnswers > 0) {
        state.lostAnswers -= 1;
        request.socket.destroy();
      }
      return answer;
    },
  };
  const { readPurchaseForm } = await loadRenderer();
  const pages: PageReader = (path, method, fields) => {
    const shown = payer.invoices.get(/^\/pay\/(\w+)$/.exec(path)?.[1] ?? '');
    if (shown !== undefined) return { page: 'pay', invoice: shown, sites: state.sites };
    const token = /^\/(?:l|pos)\/(\w+)$/.exec(path)?.[1] ?? '';
    const link = links.get(token);
    if (link === undefined) return null;
    if (path.startsWith('/pos/')) return { page: 'pos', link, manifest: `${path}/app.webmanifest` };
    if (method === 'GET') return { page: 'link', link, draft: null, problem: null, sites: state.sites };
    const { draft, request } = readPurchaseForm(fields);
    const { status, body } = buy(token, request);
    if (status === 201) return { redirect: `/pay/${(body as { public_id: string }).public_id}` };
    const { code, errors = [] } = body as { code: ErrorCode; errors?: [] };
    const failure = { code, errors, requestId: 'req_test', retryAfterSeconds: null };
    return { page: 'link', link, draft, problem: failure };
  };
  const server = await startContractServer({ handlers, streams: payer.streams, pages });
  return { ...payer, ...server, links, buyer: state };
}
