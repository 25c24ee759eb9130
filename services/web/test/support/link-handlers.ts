import type { CreatePaymentLinkInput, PaymentLinkView } from '@paywatch/domain/contract';
import type { Call, Handlers } from './contract-server.ts';
import { problem } from './problem.ts';

/** A link that sells tickets. */
export function ownersLink(changes: Partial<PaymentLinkView> = {}): PaymentLinkView {
  return {
    id: 'plink_5Tz8pWm3KvXq7NdRc2YhJs',
    url: 'https://pay.example/l/Vb3kQ8sXn5RtLw2ZpYd9Hc',
    pos_url: null,
    title: 'Concert ticket',
    description: 'Friday, 20:00.',
    price: { amount: '19.99', currency: 'EUR' },
    amount: null,
    currencies: null,
    single_use: false,
    stock: 50,
    available: 12,
    expires_at: null,
    return_url: null,
    disabled: false,
    status: 'open',
    created_at: '2026-11-20T09:20:00.000Z',
    ...changes,
  };
}

/** The operations on payment links over a list in memory. */
export function linkHandlers(state: { links: PaymentLinkView[] }): Handlers {
  const change = (edit: (link: PaymentLinkView, body: unknown) => PaymentLinkView) => (call: Call) => {
    const at = state.links.findIndex(({ id }) => id === call.params['linkId']);
    const found = state.links[at];
    if (found === undefined) return problem('payment_link_not_found');
    const changed = edit(found, call.body);
    state.links[at] = changed;
    return { status: 200, body: changed };
  };
  return {
    listPaymentLinks: () => ({ status: 200, body: { data: state.links } }),
    createPaymentLink: ({ body }) => {
      const { title, stock = null, price = null } = body as CreatePaymentLinkInput;
      if (title === '') {
        const errors = [{ path: 'body.title', message: 'Must not be empty.' }];
        return problem('validation_error', { errors });
      }
      const id = 'plink_NewNewNew';
      const link = ownersLink({ ...(body as Partial<PaymentLinkView>), id, stock, available: stock, price });
      state.links.unshift(link);
      return { status: 201, body: link };
    },
    updatePaymentLink: change((link, body) => {
      const { disabled } = body as { disabled: boolean };
      return { ...link, disabled, status: disabled ? 'disabled' : 'open' };
    }),
    rotatePaymentLinkToken: change((link) => ({ ...link, url: 'https://pay.example/l/tok_new' })),
    deletePaymentLink: ({ params }) => {
      const [link] = state.links.filter(({ id }) => id === params['linkId']);
      state.links = state.links.filter(({ id }) => id !== params['linkId']);
      return link === undefined ? problem('payment_link_not_found') : { status: 200, body: link };
    },
  };
}
