/**
 * One message of an event stream, ready for the socket: as HTTP/1.1 sends it (one chunk) and as HTTP/1.0 does. Built once
 * and written to every stream that gets it.
 */
export type Frame = { readonly chunk: Buffer; readonly plain: Buffer };

/** What a message says; `data` is sent as JSON, which has no line breaks, so that no donor's text can end it. */
export type Message = { event?: string; id?: string; data?: unknown; retryMs?: number };

/** Builds a message (WHATWG HTML, server-sent events). One with an id and no data moves the client's position silently. */
export function frameOf({ event, id, data, retryMs }: Message): Frame {
  const lines = [
    ...(retryMs === undefined ? [] : [`retry: ${retryMs}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(data === undefined ? [] : [`data: ${JSON.stringify(data)}`]),
  ];
  return textFrame(`${lines.join('\n')}\n\n`);
}

/** A comment: clients ignore it, and proxies see that the connection lives. */
export const HEARTBEAT: Frame = textFrame(':\n\n');

function textFrame(text: string): Frame {
  const plain = Buffer.from(text);
  const size = plain.length.toString(16);
  return { plain, chunk: Buffer.concat([Buffer.from(`${size}\r\n`), plain, Buffer.from('\r\n')]) };
}
