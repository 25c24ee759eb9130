import type { DonationLinkInfo, NewDonationView } from '../../../resources/donations/donations.ts';
import { FEE_TARGET_BLOCKS, type FeeView } from '../../../resources/fees.ts';
import type { InvoiceView, PublicInvoiceView } from '../../../resources/invoices/invoices.ts';
import type { OverlayGoal } from '../../../resources/donations/overlay-sources.ts';
import { DEFAULT_OVERLAY_SETTINGS, type OverlaySettings } from '../../../overlay-options.ts';
import type { ExchangeRateView } from '../../../resources/rates.ts';
import type { ServiceStatus } from '../../../resources/service-status.ts';
import type { OverlayDonation } from '../../../resources/donations/overlay.ts';
import { invoice } from '../merchant/invoices.ts';
import type { OperationExample } from '../operation-example.ts';

const publicInvoice: PublicInvoiceView = withoutOwnersFields(invoice);

function withoutOwnersFields(owners: InvoiceView): PublicInvoiceView {
  const {
    order_id: _orderId,
    ttl_seconds: _ttlSeconds,
    address_index: _addressIndex,
    accepted_in_fiat: _acceptedInFiat,
    ...shared
  } = owners;
  return {
    ...shared,
    project_name: 'Example Shop',
    branding: null,
    network: 'mainnet',
    explorer_url: 'https://explorer.example',
    chain_delayed: false,
  };
}

const goal: OverlayGoal = {
  title: 'New camera',
  unit: 'EUR',
  target: '500',
  since: '2026-11-01',
  added: '20.50',
};

const overlaySettings: OverlaySettings = { ...DEFAULT_OVERLAY_SETTINGS };

const overlayDonation: OverlayDonation = {
  public_id: 'inv_2MhTz7QkV9cWn4RsXp6JdL',
  donor_name: 'Satoshi',
  donor_message: 'Great stream!',
  amount: '50000',
  currency: 'BTC',
  fiat: null,
  confirmed_at: '2026-11-20T12:21:40.120Z',
  test: false,
};

const donationLink: DonationLinkInfo = {
  project_name: 'Example Shop',
  currencies: ['BTC'],
  accepting: true,
  limits: {
    donor_name_max_length: 50,
    donor_message_max_length: 200,
    amounts: {
      BTC: { min: '546', max: '2100000000000000' },
      LTC: { min: '5460', max: '8400000000000000' },
    },
  },
};

const newDonation: NewDonationView = {
  public_id: overlayDonation.public_id,
  pay_url: 'https://pay.example/pay/inv_2MhTz7QkV9cWn4RsXp6JdL',
};

const fee: FeeView = {
  currency: 'BTC',
  unit: 'sat/vB',
  fast: '12.5',
  normal: '6',
  economy: '1.2',
  target_blocks: FEE_TARGET_BLOCKS.BTC,
  estimated_at: '2026-11-20T12:00:00.000Z',
  stale: false,
};

const rate: ExchangeRateView = {
  currency: 'BTC',
  in: 'EUR',
  value: '87416.72',
  sources: ['binance', 'bitstamp', 'coinbase', 'kraken'],
  taken_at: '2026-11-20T12:00:00.000Z',
};

const status: ServiceStatus = {
  state: 'operational',
  checked_at: '2026-11-20T12:00:10.000Z',
  api: { state: 'operational' },
  streams: { state: 'operational' },
  chains: [
    {
      currency: 'BTC',
      network: 'mainnet',
      state: 'operational',
      tip_height: 923_456,
      tip_at: '2026-11-20T11:54:02.000Z',
      read_at: '2026-11-20T12:00:08.120Z',
    },
  ],
  webhooks: { state: 'operational', lag_seconds: 0 },
  mail: { state: 'operational', lag_seconds: 0 },
  incidents: [
    { component: 'BTC', started_at: '2026-11-18T02:10:00.000Z', ended_at: '2026-11-18T02:14:30.000Z' },
  ],
};

/** Of what payers, donors and overlays see. */
export const publicExamples = {
  getPublicInvoice: { response: publicInvoice },
  streamPublicInvoice: { response: streamText('status', '4', publicInvoice) },
  getDonationLink: { response: donationLink },
  createDonation: {
    request: { currency: 'BTC', amount: '50000', donor_name: 'Satoshi', donor_message: 'Great stream!' },
    response: newDonation,
  },
  getFeeEstimate: { response: fee },
  getOverlaySettings: { response: overlaySettings },
  updateOverlaySettings: {
    request: { theme: 'light', duration_seconds: 8 },
    response: { ...overlaySettings, theme: 'light', duration_seconds: 8 },
  },
  getOverlaySources: { response: { goal: null, counter_since: null } },
  updateOverlaySources: {
    request: { goal, counter_since: '2026-11-01' },
    response: { goal, counter_since: '2026-11-01' },
  },
  getExchangeRate: { response: rate },
  getServiceStatus: { response: status },
  streamOverlay: { response: streamText('donation', '1', overlayDonation) },
  testOverlay: {
    response: {
      ...overlayDonation,
      donor_name: 'Test donor',
      donor_message: 'This is how a donation looks.',
      test: true,
    },
  },
} as const satisfies Record<string, OperationExample>;

function streamText(name: string, id: string, data: unknown): string {
  return `retry: 3000\n\nid: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
