import {
  AMOUNT_LIMITS,
  createDonationBodySchema,
  LIMITS,
  validate,
  type CreateDonationBody,
  type Currency,
  type DonationLinkInfo,
  type ErrorCode,
  type ProofOfWork,
} from '@paywatch/domain/contract';
import { parseFiat } from '@paywatch/domain/fiat';
import { parseRate, priceInCoins } from '@paywatch/domain/prices';
import { createHash, randomBytes } from 'node:crypto';
import { startContractServer, type Answer, type Handlers, type PageReader } from '../contract-server.ts';
import { invoice } from '../invoices.ts';
import { createPayerApi } from './payer-api.ts';
import { problem } from '../problem.ts';
import { loadRenderer } from '../renderer.ts';

/** A donation link that accepts both currencies. */
export function donationLink(changes: Partial<DonationLinkInfo> = {}): DonationLinkInfo {
  return {
    project_name: 'Ada plays chess',
    currencies: ['BTC', 'LTC'],
    accepting: true,
    limits: {
      donor_name_max_length: LIMITS.donorName.maxLength,
      donor_message_max_length: LIMITS.donorMessage.maxLength,
      amounts: { BTC: rangeOf(AMOUNT_LIMITS.BTC), LTC: rangeOf(AMOUNT_LIMITS.LTC) },
    },
    ...changes,
  };
}

function rangeOf({ min, max }: { min: bigint; max: bigint }) {
  return { min: String(min), max: String(max) };
}

/** Starts a server with donation links in memory and the payment pages of their donations. */
export async function startDonorServer() {
  const payer = createPayerApi();
  const links = new Map<string, DonationLinkInfo>([['tok_ada', donationLink()]]);
  const state = {
    refusal: null as { code: ErrorCode; retryAfter?: number } | null,
    started: [] as CreateDonationBody[],
  };

  const donate = (token: string, body: unknown): Answer => {
    if (!links.has(token)) return problem('not_found');
    if (!isProven(links.get(token), body)) return problem('proof_of_work_required');
    if (state.refusal !== null) return problem(state.refusal.code, state.refusal);
    const checked = validate('body', createDonationBodySchema, body);
    if (!checked.ok) return problem('validation_error', { errors: [...checked.errors] });
    const publicId = `inv_${'ABCDEFGH'[state.started.push(checked.value)] ?? 'Z'}`;
    payer.put(invoiceOf(publicId, checked.value, links.get(token) ?? donationLink()));
    return { status: 201, body: { public_id: publicId, pay_url: `https://pay.example/pay/${publicId}` } };
  };
  const handlers: Handlers = {
    ...payer.handlers,
    getDonationLink: ({ params }) => {
      const link = links.get(params['token'] ?? '');
      return link ? { status: 200, body: link } : problem('not_found');
    },
    createDonation: ({ params, body }) => donate(params['token'] ?? '', body),
  };
  const { readDonationForm } = await loadRenderer();
  const pages: PageReader = (path, method, fields) => {
    const shown = payer.invoices.get(/^\/pay\/(\w+)$/.exec(path)?.[1] ?? '');
    if (shown !== undefined) return { page: 'pay', invoice: shown };
    if (path === '/alert-preview') return { page: 'alert-preview' };
    const token = /^\/donate\/(\w+)$/.exec(path)?.[1] ?? '';
    const link = links.get(token);
    if (link === undefined) return null;
    if (method === 'GET') {
      const url = `https://pay.example${path}`;
      return { page: 'donate', link, url, draft: null, problem: null };
    }
    const { draft, request } = readDonationForm(fields);
    const { status, body } = donate(token, request);
    if (status === 201) return { redirect: `/pay/${(body as { public_id: string }).public_id}` };
    const { code, errors = [] } = body as { code: ErrorCode; errors?: [] };
    return {
      page: 'donate',
      link,
      draft,
      problem: { code, errors, requestId: 'req_test', retryAfterSeconds: null },
    };
  };
  const server = await startContractServer({ handlers, streams: payer.streams, pages });
  return { ...payer, ...server, links, donor: state };
}

/** A proof-of-work challenge like the API's, easy enough for tests. */
export function proofOfWork(changes: Partial<ProofOfWork> = {}): ProofOfWork {
  const expires_at = new Date(Date.now() + 600_000).toISOString();
  return {
    challenge: randomBytes(28).toString('base64url'),
    difficulty: 14,
    expires_at,
    currencies: ['BTC'],
    ...changes,
  };
}

/** Whether the required proof is valid: it starts with the challenge, and its hash with enough zero bits. */
function isProven(link: DonationLinkInfo | undefined, body: unknown): boolean {
  const { currency, proof_of_work: proof = '' } = body as { currency: Currency; proof_of_work?: string };
  const asked = link?.proof_of_work;
  if (!asked?.currencies.includes(currency)) return true;
  const head = createHash('sha256').update(proof).digest().readUInt32BE();
  return proof.startsWith(`${asked.challenge}.`) && Math.clz32(head) >= asked.difficulty;
}

/** As the API converts, at the rate of the link. */
function convert(
  { amount, currency }: NonNullable<CreateDonationBody['price']>,
  coin: Currency,
  { prices }: DonationLinkInfo,
): bigint {
  const rate = parseRate(prices?.rates[coin] ?? '');
  const cents = parseFiat(amount, currency);
  if (rate === null || cents === null) throw new Error('the page offers no such unit');
  return priceInCoins({ amount: cents, currency }, rate, 0);
}

function invoiceOf(publicId: string, body: CreateDonationBody, link: DonationLinkInfo) {
  const asked = body.price === null ? body.amount : convert(body.price, body.currency, link);
  const amount = asked === null ? null : String(asked);
  return invoice(
    {
      public_id: publicId,
      type: 'donation',
      currency: body.currency,
      expected_amount: amount,
      due_amount: amount,
      price: body.price,
      donor_name: body.donor_name,
      donor_message: body.donor_message,
      project_name: link.project_name,
      confirmations_required: 1,
      return_url: null,
    },
    Date.now(),
  );
}
