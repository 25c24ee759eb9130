/** What replaces the modules that exist only in k6, by their names. */
export const K6_MODULES: Readonly<Record<string, string>> = {
  k6: new URL('k6.ts', import.meta.url).href,
  'k6/crypto': new URL('crypto.ts', import.meta.url).href,
  'k6/http': new URL('http.ts', import.meta.url).href,
  'k6/metrics': new URL('metrics.ts', import.meta.url).href,
  'k6/timers': 'node:timers',
  'k6/x/sse': new URL('sse.ts', import.meta.url).href,
};
