import type { LookupAddress, LookupOptions } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';

/** Why an attempt failed whose name has no address that may be called, whether or not it has others. */
export const NO_PUBLIC_ADDRESS = 'the host name has no public address';

/**
 * A name resolved, or a connection led, to an address that must not be called. The message is what a name without any address gets: a
 * merchant's endpoint must not become a way to ask which names there are in our network, and what lies behind them.
 */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
  readonly code = 'ERR_ADDRESS_REFUSED';
  /** What the address is, as in "a private address"; for the operator alone. */
  readonly reason: string;

  constructor(reason: string) {
    super(NO_PUBLIC_ADDRESS);
    this.reason = reason;
  }
}

export type GuardedResolver = {
  /** All addresses of a name. Throws RefusedAddressError if any one of them is refused, and the errors of node:dns. */
  resolve(hostname: string): Promise<LookupAddress[]>;
  /** The same for `lookup` of net.connect and tls.connect, which never call it for a literal address. */
  lookup: LookupFunction;
  /** Whether a name can be called now: it has addresses, and none of them is refused. Never throws. */
  isCallable(hostname: string): Promise<boolean>;
};

export type GuardedResolverOptions = {
  /** What keeps an address from being called, in words; null if it may be. */
  describeRefusal: (address: string) => string | null;
  /** Name servers, `address` or `address:port`; those of the system when empty. */
  servers?: readonly string[];
  /** Of one query to one server; each is asked twice. */
  timeoutMs?: number;
};

/**
 * Resolves names of strangers. Asks name servers directly: the system's own way (getaddrinfo) blocks one of four threads
 * per query, so that a few slow name servers would hold up everybody, and completes names with our search domains.
 */
export function createGuardedResolver(options: GuardedResolverOptions): GuardedResolver {
  const resolver = new Resolver({ timeout: options.timeoutMs ?? 2000, tries: 2 });
  if (options.servers && options.servers.length > 0) resolver.setServers(options.servers);
  const queryOnce = shareInFlight((hostname) => queryAddresses(resolver, hostname));
  const resolve = async (hostname: string): Promise<LookupAddress[]> => {
    const family = isIP(hostname);
    const addresses = family === 0 ? await queryOnce(hostname) : [{ address: hostname, family }];
    for (const { address } of addresses) refuseUnless(options.describeRefusal(address));
    return addresses;
  };
  return {
    resolve,
    lookup: toLookup(resolve),
    isCallable: (hostname) => resolve(hostname).then(isTrue, isFalse),
  };
}

function refuseUnless(refusal: string | null): void {
  // One bad answer refuses them all: a name with a public and a private address is an attack or a mistake.
  if (refusal !== null) throw new RefusedAddressError(refusal);
}

/** IPv4 first; net.connect tries the families in turn. A name needs only one of them. */
async function queryAddresses(resolver: Resolver, hostname: string): Promise<LookupAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [...toAddresses(four, 4), ...toAddresses(six, 6)];
  if (addresses.length > 0) return addresses;
  throw four.status === 'rejected' ? four.reason : new Error(`${hostname} has no address`);
}

function toAddresses(result: PromiseSettledResult<string[]>, family: number): LookupAddress[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
}

/** Calls that overlap share one answer; nothing is kept after it. */
function shareInFlight<T>(ask: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const inFlight = new Map<string, Promise<T>>();
  return (key) => {
    const running = inFlight.get(key);
    if (running) return running;
    const started = ask(key).finally(() => inFlight.delete(key));
    inFlight.set(key, started);
    return started;
  };
}

function toLookup(resolve: (hostname: string) => Promise<LookupAddress[]>): LookupFunction {
  return (hostname, options, respond) => {
    resolve(hostname).then(
      (addresses) => answer(addresses.filter(ofFamily(options)), options, respond),
      (error: NodeJS.ErrnoException) => respond(error, []),
    );
  };
}

function ofFamily({ family }: LookupOptions): (address: LookupAddress) => boolean {
  const wanted = family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : (family ?? 0);
  return (address) => wanted === 0 || address.family === wanted;
}

function answer(
  addresses: LookupAddress[],
  options: LookupOptions,
  respond: Parameters<LookupFunction>[2],
): void {
  const [first] = addresses;
  if (!first) respond(Object.assign(new Error('no address of that family'), { code: 'ENODATA' }), []);
  else if (options.all === true) respond(null, addresses);
  else respond(null, first.address, first.family);
}

const isTrue = (): boolean => true;
const isFalse = (): boolean => false;
