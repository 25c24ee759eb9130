export { readDonationCapacity } from './donation-capacity.ts';
export {
  type NewOverlayDonation,
  type OverlayDonation,
  type OverlayHead,
  findOverlayProjects,
  insertOverlayDonation,
  insertTestDonation,
  loadOverlayDonations,
  loadOverlayHeads,
} from './overlay-donations.ts';
export { showDonations } from './shown-donations.ts';
