import type { DonationPage } from '../../../resources/donations/donation-page.ts';
import type { OperationExample } from '../operation-example.ts';

const page: DonationPage = {
  picture: null,
  accent_color: null,
  text: '',
  links: [],
  suggested_amounts: null,
  suggested_prices: null,
  min_message_btc: '0',
  min_message_ltc: '0',
  show_goal: false,
  show_latest: false,
};

const change = {
  accent_color: '#6441a5',
  text: 'Thank you for keeping this stream free of advertisements.',
  links: [{ title: 'My channel', url: 'https://stream.example/ada' }],
  min_message_btc: '10000',
};

/** Of the donation page. */
export const donationPageExamples = {
  getDonationPage: { response: page },
  updateDonationPage: { request: change, response: { ...page, ...change } },
} as const satisfies Record<string, OperationExample>;
