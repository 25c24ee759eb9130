/** The content of an event stream message. Its data is JSON, which has no line breaks, so no donor's text can end it. */
export type StreamMessage = { event?: string; id?: string; json?: string; retryMs?: number };

/** A message as text (WHATWG HTML, server-sent events). A message with an id and no data only moves the client's position. */
export function messageText({ event, id, json, retryMs }: StreamMessage): string {
  const lines = [
    ...(retryMs === undefined ? [] : [`retry: ${retryMs}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(json === undefined ? [] : [`data: ${json}`]),
  ];
  return `${lines.join('\n')}\n\n`;
}
