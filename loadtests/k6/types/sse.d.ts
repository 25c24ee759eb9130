/** The part of the extension xk6-sse (Apache 2.0, github.com/phymbert/xk6-sse) that the scripts use. */
declare module 'k6/x/sse' {
  export type SseEvent = { id: string; name: string; data: string };
  export type SseClient = {
    on(name: 'event', take: (event: SseEvent) => void): void;
    on(name: 'error', take: (error: { error(): string }) => void): void;
    close(): void;
  };
  type SseParams = { headers?: Record<string, string>; tags?: Record<string, string> };
  type SseResponse = { status: number };
  const sse: {
    /** Returns when the stream has ended. Calls `setup` before the first event. */
    open(url: string, params: SseParams, setup: (client: SseClient) => void): SseResponse;
  };
  export default sse;
}
