import { addSample } from './samples.ts';

type Params = {
  headers?: Record<string, string>;
  responseCallback?: readonly number[];
};

/** Replaces the module `k6/http`: the functions that the scripts use, on top of fetch. */
export default {
  expectedStatuses: (...statuses: number[]): readonly number[] => statuses,
  async asyncRequest(method: string, url: string, body: string | null, params: Params = {}) {
    const { headers = {}, responseCallback } = params;
    const startedMs = performance.now();
    const response = await fetch(url, { method, headers, body });
    const text = await response.text();
    const { status } = response;
    const isExpected = responseCallback?.includes(status) ?? (status >= 200 && status < 400);
    const duration = performance.now() - startedMs;
    addSample('http_req_duration', duration);
    addSample('http_req_failed', isExpected ? 0 : 1);
    return {
      status,
      body: text,
      timings: { duration },
      headers: canonical(response.headers),
      json: (name: string) => JSON.parse(text)[name],
    };
  },
};

/** k6 capitalizes header names, because Go does. */
function canonical(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [
      name.replaceAll(/(^|-)[a-z]/g, (start) => start.toUpperCase()),
      value,
    ]),
  );
}
