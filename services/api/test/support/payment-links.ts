import type { CreatePaymentLinkInput, PaymentLinkView } from '@paywatch/domain/contract';
import { randomAddress, type TestAccount, type TestApi } from './api.ts';

/** Creates a link that sells for 0.0015 BTC, unless `terms` say otherwise. */
export async function openLink(
  api: TestApi,
  { session }: Pick<TestAccount, 'session'>,
  terms: Partial<CreatePaymentLinkInput> = {},
): Promise<PaymentLinkView> {
  const body = { title: 'Concert ticket', amount: '150000', currencies: ['BTC'], ...terms };
  const created = await api.call('post', '/v1/payment-links', { session, body }).expect(201);
  return created.body;
}

/** The token in the URL of a link. */
export function tokenOf({ url }: Pick<PaymentLinkView, 'url'>): string {
  return url.split('/').at(-1) ?? '';
}

/** The public view of a link. */
export async function readPublicLink(api: TestApi, link: Pick<PaymentLinkView, 'url'>) {
  return (await api.call('get', `/v1/public/links/${tokenOf(link)}`).expect(200)).body;
}

/** Buys by a link. */
export function buyBy(
  api: TestApi,
  link: Pick<PaymentLinkView, 'url'>,
  body: object = {},
  from = randomAddress(),
) {
  return api.call('post', `/v1/public/links/${tokenOf(link)}`, { body: { currency: 'BTC', ...body }, from });
}
