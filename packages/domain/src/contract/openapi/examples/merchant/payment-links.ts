import type { PaymentLinkView } from '../../../resources/payment-links/payment-links.ts';
import type { PublicPaymentLink } from '../../../resources/payment-links/public-payment-links.ts';
import type { OperationExample } from '../operation-example.ts';

const link: PaymentLinkView = {
  id: 'plink_5Tz8pWm3KvXq7NdRc2YhJs',
  url: 'https://pay.example/l/Vb3kQ8sXn5RtLw2ZpYd9Hc',
  pos_url: null,
  title: 'Concert ticket',
  description: 'Friday, 20:00, standing room.',
  price: { amount: '19.99', currency: 'EUR' },
  amount: null,
  currencies: ['BTC'],
  single_use: false,
  stock: 50,
  available: 50,
  expires_at: '2027-01-01T00:00:00.000Z',
  return_url: 'https://shop.example/thanks',
  disabled: false,
  status: 'open',
  created_at: '2026-11-20T09:20:00.000Z',
};

const publicLink: PublicPaymentLink = {
  project_name: 'Example Shop',
  branding: null,
  title: link.title,
  description: link.description,
  price: link.price,
  amount: null,
  currencies: ['BTC'],
  single_use: false,
  available: 50,
  status: 'open',
  accepting: true,
};

/** Examples for payment links, as their owner and as buyers use them. */
export const paymentLinkExamples = {
  createPaymentLink: {
    request: {
      title: link.title,
      description: link.description,
      price: link.price,
      currencies: link.currencies,
      stock: link.stock,
      expires_at: '2027-01-01T00:00:00Z',
      return_url: link.return_url,
    },
    response: link,
  },
  listPaymentLinks: { response: { data: [link] } },
  getPaymentLink: { response: link },
  updatePaymentLink: {
    request: { title: 'Concert ticket (seated)', stock: 80 },
    response: { ...link, title: 'Concert ticket (seated)', stock: 80, available: 79 },
  },
  deletePaymentLink: {
    response: { ...link, title: 'Concert ticket (seated)', stock: 80, available: 79 },
  },
  rotatePaymentLinkToken: { response: { ...link, available: 49 } },
  getPublicPaymentLink: { response: publicLink },
  buyByPaymentLink: {
    request: { currency: 'BTC' },
    response: {
      public_id: 'inv_6cTq2LxWv8RzJd4NkYp7Fs',
      pay_url: 'https://pay.example/pay/inv_6cTq2LxWv8RzJd4NkYp7Fs',
    },
  },
} as const satisfies Record<string, OperationExample>;
