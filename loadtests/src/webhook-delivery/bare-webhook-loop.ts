import { Agent, request } from 'undici';

/** The baseline: keeps `inFlight` POSTs in flight on keep-alive connections until `untilMs`. */
export async function runBareLoop(loop: {
  url: string;
  ca: string;
  inFlight: number;
  untilMs: number;
  body: () => string;
}): Promise<void> {
  const dispatcher = new Agent({ connect: { ca: loop.ca }, connections: loop.inFlight });
  const headers = { 'content-type': 'application/json' };
  const post = async (): Promise<void> => {
    while (performance.now() < loop.untilMs) {
      const answer = await request(loop.url, { method: 'POST', dispatcher, headers, body: loop.body() });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: loop.inFlight }, post));
  await dispatcher.close();
}
