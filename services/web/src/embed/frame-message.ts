/** The messages of a framed page to the page that frames it. */
export type FrameMessage =
  | { readonly type: 'paywatch:ready' | 'paywatch:close' }
  | {
      readonly type: 'paywatch:status' | 'paywatch:paid';
      readonly public_id: string;
      readonly status: string;
    };

/** The message that another window sent; null if it is none of ours. Pure. */
export function readMessage(data: unknown): FrameMessage | null {
  if (typeof data !== 'object' || data === null) return null;
  const { type, public_id, status }: Partial<Record<string, unknown>> = { ...data };
  if (type === 'paywatch:ready' || type === 'paywatch:close') return { type };
  if (type !== 'paywatch:status' && type !== 'paywatch:paid') return null;
  if (typeof public_id !== 'string' || typeof status !== 'string') return null;
  return { type, public_id, status };
}
