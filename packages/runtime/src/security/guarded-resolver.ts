import type { LookupAddress, LookupOptions } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';

/** The only reason shown to merchants, whether a host name has no address or one that must not be called. */
export const NO_PUBLIC_ADDRESS = 'the host name has no public address';

/**
 * A host name or a connection leads to an address that must not be called. The message is the same as for a name without addresses:
 * otherwise a merchant could use webhook endpoints to explore our network.
 */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
  readonly code = 'ERR_ADDRESS_REFUSED';
  /** Kind of the address, such as "a private address". For the operator only. */
  readonly reason: string;

  constructor(reason: string) {
    super(NO_PUBLIC_ADDRESS);
    this.reason = reason;
  }
}

export type GuardedResolver = {
  /** Resolves all addresses of a name. Throws RefusedAddressError if any of them is refused, and the errors of node:dns. */
  resolve(hostname: string): Promise<LookupAddress[]>;
  /** The `lookup` option of net.connect and tls.connect. They do not call it for a literal address. */
  lookup: LookupFunction;
  /** Whether a name has addresses and none of them is refused. Never throws. */
  isCallable(hostname: string): Promise<boolean>;
};

export type GuardedResolverOptions = {
  /** Why an address must not be called; null if it may be. */
  describeRefusal: (address: string) => string | null;
  /** Name servers as `address` or `address:port`; empty for those of the system. */
  servers?: readonly string[];
  /** Timeout of one query to one server; each server is queried twice. */
  timeoutMs?: number;
};

/**
 * Resolves untrusted host names. Queries name servers directly instead of calling getaddrinfo, which blocks one of libuv's four threads
 * per query and appends our search domains to names.
 */
export function createGuardedResolver(options: GuardedResolverOptions): GuardedResolver {
  const resolver = new Resolver({ timeout: options.timeoutMs ?? 2000, tries: 2 });
  if (options.servers && options.servers.length > 0) resolver.setServers(options.servers);
  const queryOnce = shareInFlight((hostname) => queryAddresses(resolver, hostname));
  const resolve = async (hostname: string): Promise<LookupAddress[]> => {
    const family = isIP(hostname);
    const addresses = family === 0 ? await queryOnce(hostname) : [{ address: hostname, family }];
    for (const { address } of addresses) assertCallable(options.describeRefusal(address));
    return addresses;
  };
  return {
    resolve,
    lookup: toLookup(resolve),
    isCallable: (hostname) =>
      resolve(hostname).then(
        () => true,
        () => false,
      ),
  };
}

function assertCallable(refusal: string | null): void {
  // One bad address refuses the name: a mix of public and private addresses is an attack or a mistake.
  if (refusal !== null) throw new RefusedAddressError(refusal);
}

/** IPv4 first, since net.connect tries the families in turn. One family is enough. */
async function queryAddresses(resolver: Resolver, hostname: string): Promise<LookupAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [...toAddresses(four, 4), ...toAddresses(six, 6)];
  if (addresses.length > 0) return addresses;
  throw four.status === 'rejected' ? four.reason : new Error(`${hostname} has no address`);
}

function toAddresses(result: PromiseSettledResult<string[]>, family: number): LookupAddress[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
}

/** Concurrent calls with one key share a promise. Nothing is cached after it settles. */
function shareInFlight<T>(load: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const inFlight = new Map<string, Promise<T>>();
  return (key) => {
    const running = inFlight.get(key);
    if (running) return running;
    const started = load(key).finally(() => inFlight.delete(key));
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
