export {
  type ControlHead,
  type ControlPage,
  type HeldDonation,
  loadControlHeads,
  loadControlPages,
} from './overlay/control-page.ts';
export { readDonationCapacity } from './donation-capacity.ts';
export { changeDonationPage, loadDonationPage } from './donation-page.ts';
export { type DecidedDonation, decideHeldDonation } from './overlay/held-donations.ts';
export {
  type ControlAction,
  type ControlState,
  type Moderation,
  changeModeration,
  controlAlerts,
  findControlProjects,
  loadControlState,
  loadModeration,
  lockControl,
} from './overlay/overlay-controls.ts';
export { type LatestDonations, type LatestRequest, loadLatestDonations } from './latest-donations.ts';
export { listenForOverlays } from './overlay/overlay-notifications.ts';
export {
  type AddedDonation,
  type NewOverlayDonation,
  type OverlayDonation,
  type OverlayHead,
  type OverlayPage,
  findOverlayProjects,
  insertOverlayDonation,
  insertTestDonation,
  loadOverlayDonations,
  loadOverlayHeads,
} from './overlay/overlay-donations.ts';
export { type OverlayOrders, loadOverlayOrders } from './overlay/overlay-orders.ts';
export {
  changeOverlaySettings,
  changeOverlaySources,
  loadOverlaySettings,
  loadOverlaySources,
  type VersionedOverlaySettings,
} from './overlay/overlay-settings.ts';
export { showDonations } from './shown-donations.ts';
export {
  type DonationSummary,
  type SummaryHead,
  loadDonationSummaries,
  loadSummaryHeads,
} from './totals/donation-summary.ts';
export { type LatestDonation, listLatestDonations, readGoal } from './totals/shown-totals.ts';
