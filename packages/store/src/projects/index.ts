export {
  type AccountOverview,
  type WalletOverview,
  findOverview,
  listWalletOverviews,
  renameProject,
  rotateToken,
} from './projects.ts';
