export { readDonationCapacity } from './donation-capacity.ts';
export { listenForOverlays } from './overlay-notifications.ts';
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
export {
  changeOverlaySettings,
  loadOverlaySettings,
  type VersionedOverlaySettings,
} from './overlay-settings.ts';
export { showDonations } from './shown-donations.ts';
