import { MAX_EXPORTED, OPERATIONS, type AccountExport } from '@paywatch/domain/contract';
import {
  byRecentProof,
  exportRest,
  listApiKeys,
  listSecondFactors,
  listSessions,
  readNoticeSettings,
  type ExportedRest,
  type ExportedWallet,
} from '@paywatch/store/accounts';
import {
  loadDonationPage,
  loadModeration,
  loadOverlaySettings,
  loadOverlaySources,
} from '@paywatch/store/donations';
import { listProjects } from '@paywatch/store/members';
import { listPaymentLinks } from '@paywatch/store/payment-links';
import { loadBranding } from '@paywatch/store/projects';
import { listUploads } from '@paywatch/store/uploads';
import { listEndpoints } from '@paywatch/store/webhooks';
import { apiKeyView } from '../api-keys/api-key-view.ts';
import type { SessionCaller } from '../caller.ts';
import type { ApiConfig } from '../config.ts';
import type { Dependencies } from '../dependencies.ts';
import { readMe } from '../me/get-me.ts';
import { readMembers } from '../members/list-members.ts';
import { noticesView } from '../me/notices.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { moderationView } from '../overlay/moderation.ts';
import { paymentLinkView } from '../payment-links/payment-link-view.ts';
import { projectSummary } from '../projects/project-summary.ts';
import { factorView } from '../second-factors/factor-view.ts';
import { sessionView } from '../sessions/list-sessions.ts';
import { listPurchaseViews } from '../subscription/purchase-view.ts';
import { uploadView } from '../uploads/upload-view.ts';
import { endpointView } from '../webhook-endpoints/endpoint-view.ts';

/** Everything of an account and its project, in bounded lists. */
export function exportAccount(dependencies: Dependencies): OperationHandler<'exportAccount'> {
  const { store, clock } = dependencies;
  return async ({ caller, context }) => {
    // First: it decides whether the caller may export, and asks for a proof if one is missing.
    const rest = await exportRest(store, byRecentProof(caller, context.address), caller, MAX_EXPORTED);
    const [ofAccount, ofProject] = await Promise.all([
      readAccount(dependencies, caller),
      readProject(dependencies, caller.projectId, rest),
    ]);
    const body = {
      exported_at: new Date(clock.nowMs()).toISOString(),
      ...ofAccount,
      login_networks: rest.networks.map(({ network, lastLoginAt }) => ({
        network,
        last_login_at: lastLoginAt.toISOString(),
      })),
      ...ofProject,
      wallets: rest.wallets.map(walletView),
      files: filesOf(dependencies.config),
    };
    return { status: 200, body };
  };
}

async function readAccount(dependencies: Dependencies, caller: SessionCaller) {
  const { store, config } = dependencies;
  const [me, members, projects, notices, sessions, factors] = await Promise.all([
    readMe(dependencies, caller),
    readMembers(dependencies, caller),
    listProjects(store, caller.accountId),
    readNoticeSettings(store, caller.accountId),
    listSessions(store, caller, config.env.SESSION_IDLE_SECONDS),
    listSecondFactors(store, caller.accountId),
  ]);
  return {
    ...me,
    ...members,
    projects: projects.map(projectSummary),
    notices: noticesView(notices),
    sessions: sessions.map(sessionView),
    second_factors: {
      data: factors.factors.map(factorView),
      recovery_codes_left: factors.recoveryCodesLeft,
    },
  };
}

async function readProject(dependencies: Dependencies, projectId: bigint, { uploadHashes }: ExportedRest) {
  const { store, config } = dependencies;
  const [keys, endpoints, links, uploads, purchases, branding, donations] = await Promise.all([
    listApiKeys(store, projectId, { limit: MAX_EXPORTED, after: null }),
    listEndpoints(store, projectId),
    listPaymentLinks(store, projectId),
    listUploads(store, projectId),
    listPurchaseViews(dependencies, projectId, MAX_EXPORTED),
    loadBranding(store, projectId),
    readDonationSettings(dependencies, projectId),
  ]);
  return {
    ...donations,
    branding,
    api_keys: (keys ?? []).map(apiKeyView),
    webhook_endpoints: endpoints.map(endpointView),
    payment_links: links.map((link) => paymentLinkView(config, link)),
    uploads: uploads.map((upload) => ({
      ...uploadView(config, upload),
      sha256: uploadHashes.get(upload.publicId) ?? '',
    })),
    purchases,
  };
}

async function readDonationSettings({ store, config }: Dependencies, projectId: bigint) {
  const [page, overlays, sources, moderation] = await Promise.all([
    loadDonationPage(store, projectId),
    loadOverlaySettings(store, [projectId]),
    loadOverlaySources(store, projectId),
    loadModeration(store, projectId),
  ]);
  const overlay = overlays.get(String(projectId));
  if (overlay === undefined) throw new Error(`project ${projectId} not found`);
  return {
    donation_page: page,
    overlay_settings: overlay.settings,
    overlay_sources: sources,
    moderation: moderationView(config, moderation),
  };
}

function walletView(wallet: ExportedWallet): AccountExport['wallets'][number] {
  return {
    currency: wallet.currency,
    xpub: wallet.xpub,
    script_type: wallet.scriptType,
    derivation_path: wallet.derivationPath,
    verification_address: wallet.verificationAddress,
    gap_limit: wallet.gapLimit,
    status: wallet.status,
    created_at: wallet.createdAt.toISOString(),
    verified_at: wallet.verifiedAt?.toISOString() ?? null,
    replaced_at: wallet.replacedAt?.toISOString() ?? null,
  };
}

function filesOf({ publicUrl }: Pick<ApiConfig, 'publicUrl'>): AccountExport['files'] {
  const fileOf = (path: string) => ({
    csv: `${publicUrl}${path}?format=csv`,
    jsonl: `${publicUrl}${path}?format=jsonl`,
  });
  return {
    invoices: fileOf(OPERATIONS.exportInvoices.path),
    payments: fileOf(OPERATIONS.exportPayments.path),
    events: fileOf(OPERATIONS.exportEvents.path),
    audit_log: fileOf(OPERATIONS.exportAuditLog.path),
  };
}
