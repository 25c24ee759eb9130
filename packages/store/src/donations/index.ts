export { readDonationCapacity } from './donation-capacity.ts';
export { listenForOverlayAccess } from './overlay-access.ts';
export {
  type NewOverlayDonation,
  type OverlayDonation,
  type OverlayHead,
  type OverlayPage,
  findOverlayProjects,
  insertOverlayDonation,
  insertTestDonation,
  loadOverlayDonations,
  loadOverlayHeads,
} from './overlay-donations.ts';
export { showDonations } from './shown-donations.ts';
