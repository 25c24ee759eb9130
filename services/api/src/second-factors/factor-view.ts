import type { FactorView } from '@paywatch/domain/contract';
import type { SecondFactor } from '@paywatch/store/accounts';

/** A second factor as the API shows it. */
export function factorView({ publicId, kind, name, createdAt, lastUsedAt }: SecondFactor): FactorView {
  return {
    factor_id: publicId,
    kind,
    name,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}
