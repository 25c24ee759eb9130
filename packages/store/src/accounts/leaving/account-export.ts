import type { ScriptType } from '@paywatch/domain/chain';
import type { Currency } from '@paywatch/domain/values';
import { inTransaction, type AnySql } from '../../postgres/database.ts';
import type { WalletStatus } from '../../schema/wallets.ts';
import type { Store } from '../../store.ts';
import { writeAudit } from '../audit.ts';
import type { Authorize, SessionCredential } from '../authorize.ts';

/** A wallet with its key, as its owner exports it. */
export type ExportedWallet = {
  currency: Currency;
  xpub: string;
  scriptType: ScriptType;
  derivationPath: string | null;
  verificationAddress: string;
  gapLimit: number;
  status: WalletStatus;
  createdAt: Date;
  verifiedAt: Date | null;
  replacedAt: Date | null;
};

/** What no other operation lists. */
export type ExportedRest = {
  wallets: ExportedWallet[];
  networks: { network: string; lastLoginAt: Date }[];
  /** SHA-256 in hex by the public id of the upload. */
  uploadHashes: Map<string, string>;
};

/**
 * Writes that the account is exported into the audit log, and reads what no other operation lists; at most `limit` rows of each kind.
 */
export async function exportRest(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  { accountId, projectId }: SessionCredential,
  limit: number,
): Promise<ExportedRest> {
  return inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    await writeAudit(tx, { accountId, action: 'account.exported', actor });
    return {
      wallets: await listWallets(tx, projectId, limit),
      networks: await listNetworks(tx, accountId, limit),
      uploadHashes: await readUploadHashes(tx, projectId),
    };
  });
}

async function listWallets(sql: AnySql, projectId: bigint, limit: number): Promise<ExportedWallet[]> {
  const rows = await sql<ExportedWallet[]>`
    select w.currency, p.xpub, w.script_type as "scriptType", w.derivation_path as "derivationPath",
      w.verification_address as "verificationAddress", w.gap_limit as "gapLimit", w.status, w.created_at as "createdAt",
      w.verified_at as "verifiedAt", w.replaced_at as "replacedAt"
    from wallets w join pools p on p.id = w.pool_id
    where w.project_id = ${projectId} order by w.id desc limit ${limit}`;
  return [...rows];
}

async function listNetworks(sql: AnySql, accountId: bigint, limit: number) {
  const rows = await sql<{ network: string; lastLoginAt: Date }[]>`
    select origin as network, last_login_at as "lastLoginAt" from login_origins
    where account_id = ${accountId} order by last_login_at desc limit ${limit}`;
  return [...rows];
}

async function readUploadHashes(sql: AnySql, projectId: bigint): Promise<Map<string, string>> {
  const rows = await sql<{ publicId: string; sha256: string }[]>`
    select public_id as "publicId", encode(sha256(content), 'hex') as sha256 from uploads where project_id = ${projectId}`;
  return new Map(rows.map(({ publicId, sha256 }) => [publicId, sha256]));
}
