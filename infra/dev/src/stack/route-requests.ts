import { lookup } from 'node:dns';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';

/**
 * Sends this process's requests for `host` to an address, without a name server, and trusts the authority `caPem`. Returns the function
 * that undoes it.
 */
export function routeRequests(route: { host: string; address: string; caPem: string }): () => Promise<void> {
  const before = getGlobalDispatcher();
  const agent = new Agent({
    connect: {
      ca: route.caPem,
      lookup: (hostname, options, callback) =>
        lookup(hostname === route.host ? route.address : hostname, options, callback),
    },
  });
  setGlobalDispatcher(agent);
  return async () => {
    setGlobalDispatcher(before);
    await agent.close();
  };
}
