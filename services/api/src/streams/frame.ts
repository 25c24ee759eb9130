/**
 * Messages of an event stream, ready for the socket: as HTTP/1.1 sends them (one chunk) and as HTTP/1.0 does, in one piece
 * of memory. Built once and written to every stream that gets them.
 */
export type Frame = { readonly chunk: Buffer; readonly plain: Buffer };

/** What a message says; its data is JSON, which has no line breaks, so that no donor's text can end it. */
export type Message = { event?: string; id?: string; json?: string; retryMs?: number };

/** A message as text (WHATWG HTML, server-sent events). One with an id and no data moves the client's position silently. */
export function messageText({ event, id, json, retryMs }: Message): string {
  const lines = [
    ...(retryMs === undefined ? [] : [`retry: ${retryMs}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(json === undefined ? [] : [`data: ${json}`]),
  ];
  return `${lines.join('\n')}\n\n`;
}

/** Messages that leave together. */
export function frameOf(text: string): Frame {
  const head = `${Buffer.byteLength(text).toString(16)}\r\n`;
  const chunk = Buffer.from(`${head}${text}\r\n`);
  return { chunk, plain: chunk.subarray(head.length, chunk.length - 2) };
}

/** A comment: clients ignore it, and proxies see that the connection lives. */
export const HEARTBEAT: Frame = frameOf(':\n\n');
