/** English texts of the donations screen. */
export const donationsEn = {
  heading: 'Donations',
  link: 'Donation link',
  linkHint: 'Anyone with this link can donate to you.',
  nameHint: 'Donors see the name of your project, which is not set yet.',
  nameLink: 'Name your project',
  qr: 'QR code of the donation link',
  rotate: 'Replace link',
  rotateAsk: { donate: 'Replace the donation link?', overlay: 'Replace the overlay link?' },
  rotateDetail: {
    donate: 'The current link stops working immediately, wherever you published it.',
    overlay: 'The current link stops working immediately. Update the browser source in OBS.',
  },
  rotated: 'Link replaced. Only the new link works now.',
  overlay: 'Overlay for OBS',
  overlayHint: 'Add this URL to OBS as a browser source. Anyone with this URL can see your donations.',
  settings: 'Overlay settings',
  preview: 'Preview',
  test: 'Send test alert',
  testSent: 'Sent. Every open overlay shows it.',
  recent: 'Recent donations',
  all: 'All donations, unpaid ones included',
  anonymous: 'Anonymous',
  columns: { from: 'From', message: 'Message', amount: 'Amount', time: 'Time' },
  empty: 'No donations yet. Share your link to get the first one.',
  needsWallet: 'Verify a wallet to accept donations.',
};
/** The shape that every other language has to fill. */
export type DonationsTexts = typeof donationsEn;
