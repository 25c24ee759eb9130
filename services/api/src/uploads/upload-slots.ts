import { AppError } from '@paywatch/domain/requests';
import type { ServerResponse } from 'node:http';
import { createSlots, type Slots } from '../concurrency/slots.ts';

/** Bounds the files that a replica holds in memory at once: those that arrive, and those that are sent. */
export type UploadSlots = { readonly arriving: Slots; readonly sent: Slots };

/**
 * 32 files that arrive need at most 64 MiB, with the copies that reading and storing make; 256 that are sent need 128 MiB. Slow senders
 * and readers hold their slot, so the share of one project and one network is small.
 */
export function createUploadSlots(): UploadSlots {
  return {
    arriving: createSlots({ total: 32, perKey: 3 }),
    sent: createSlots({ total: 256, perKey: 32 }),
  };
}

const RETRY_SECONDS = 2;

/** Takes a slot until the response is closed. Throws AppError `rate_limited` or `service_unavailable` if there is none. */
export function holdSlot(slots: Slots, response: ServerResponse, ...keys: readonly string[]): void {
  const release = slots.take(...keys);
  if (release === 'key_full')
    throw new AppError('rate_limited', 'Too many files at once. Retry after the seconds in Retry-After.', {
      retryAfterSeconds: RETRY_SECONDS,
    });
  if (release === 'all_taken')
    throw new AppError('service_unavailable', undefined, { retryAfterSeconds: RETRY_SECONDS });
  response.once('close', release);
  if (response.destroyed) release();
}
