import { DEFAULT_DONATION_PAGE } from '../../../resources/donations/donation-page.ts';
import type { OperationExample } from '../operation-example.ts';

const change = {
  accent_color: '#6441a5',
  text: 'Thank you for keeping this stream free of advertisements.',
  links: [{ title: 'My channel', url: 'https://stream.example/ada' }],
  min_message_btc: '10000',
};

/** Of the donation page. */
export const donationPageExamples = {
  getDonationPage: { response: DEFAULT_DONATION_PAGE },
  updateDonationPage: { request: change, response: { ...DEFAULT_DONATION_PAGE, ...change } },
} as const satisfies Record<string, OperationExample>;
