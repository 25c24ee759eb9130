export { changeBranding, loadBranding } from './branding.ts';
export { findEmbedSitesOfInvoice, findEmbedSitesOfLink } from './embed-sites.ts';
export { type PriceMargins, findPriceMargins } from './price-margins.ts';
export {
  type AccountOverview,
  type WalletOverview,
  findOverview,
  listWalletOverviews,
  rotateToken,
  updateProject,
} from './projects.ts';
