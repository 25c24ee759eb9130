import { AppError } from '@paywatch/domain/requests';
import type { ApiConfig } from '../../config.ts';

/** Throws AppError `mail_not_configured` where no mail is sent. */
export function assertMailEnabled({ env }: Pick<ApiConfig, 'env'>): void {
  if (env.MAIL_URL === undefined) throw new AppError('mail_not_configured');
}
