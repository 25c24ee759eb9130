import { type AllowedHosts, describeNonPublicAddress } from '@paywatch/domain/webhooks';
import { type GuardedResolver, RefusedAddressError } from '@paywatch/runtime/security';
import { isIP } from 'node:net';
import { createSecureContext, getCACertificates } from 'node:tls';
import { buildConnector } from 'undici';

export type ConnectorOptions = {
  resolver: GuardedResolver;
  /** Hosts that the operator exempts from the guard. */
  allowedHosts: AllowedHosts;
  /** PEM of a certificate authority that is trusted besides those of Node.js, or null. */
  ca: string | null;
  connectTimeoutMs: number;
};

/**
 * A connector for undici that connects to public addresses only. It checks a literal address before connecting, the resolver checks
 * every DNS response, and the socket's peer is checked once more before the request is written.
 */
export function createGuardedConnector(options: ConnectorOptions): buildConnector.connector {
  // Created once: reading all certificate authorities for each connection costs more than its handshake.
  const secureContext = createSecureContext({
    ca: [...getCACertificates('default'), ...(options.ca === null ? [] : [options.ca])],
  });
  const tls = { timeout: options.connectTimeoutMs, allowH2: false, secureContext };
  const connectGuarded = buildConnector({ ...tls, lookup: options.resolver.lookup });
  const connectAllowed = buildConnector(tls);
  return (target, callback) => {
    if (isAllowedHost(options.allowedHosts, target)) return connectAllowed(target, callback);
    const refusal = isIP(target.hostname) === 0 ? null : describeNonPublicAddress(target.hostname);
    if (refusal !== null) return callback(new RefusedAddressError(refusal), null);
    return connectGuarded(target, checkPeer(callback));
  };
}

function isAllowedHost(allowed: AllowedHosts, { hostname, port }: buildConnector.Options): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  return allowed.has(host) || allowed.has(`${host}:${port === '' ? '443' : port}`);
}

function checkPeer(callback: buildConnector.Callback): buildConnector.Callback {
  return (...args) => {
    const [error, socket] = args;
    if (error !== null) return callback(error, null);
    const refusal = describeNonPublicAddress(socket.remoteAddress ?? '');
    if (refusal === null) return callback(null, socket);
    socket.destroy();
    return callback(new RefusedAddressError(refusal), null);
  };
}
