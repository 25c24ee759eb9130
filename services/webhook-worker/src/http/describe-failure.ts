import { NO_PUBLIC_ADDRESS, RefusedAddressError } from '@paywatch/runtime/security';
import { errors } from 'undici';

/**
 * Describes why a request got no response, for the merchant. Never contains an address, path or query: the merchant must not learn
 * what a host name resolves to inside our network.
 */
export function describeFailure(error: unknown): string {
  if (error instanceof RefusedAddressError) return error.message;
  // By class: undici sets no code on some parser errors.
  if (error instanceof errors.HTTPParserError) return 'the answer is not valid HTTP';
  const code = codeOf(error);
  const message = MESSAGES[code];
  if (message !== undefined) return message;
  if (TLS_CODE.test(code)) return `TLS failed (${code})`;
  return code === '' ? 'the request failed' : `the request failed (${code})`;
}

const MESSAGES: Readonly<Record<string, string>> = {
  ENOTFOUND: NO_PUBLIC_ADDRESS,
  ENODATA: NO_PUBLIC_ADDRESS,
  ETIMEOUT: 'the name servers did not answer',
  ESERVFAIL: 'the name servers failed',
  EREFUSED: 'the name servers refused to answer',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed before the answer',
  EPIPE: 'connection closed before the answer',
  UND_ERR_SOCKET: 'connection closed before the answer',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'host unreachable',
  ETIMEDOUT: 'connecting took too long',
  UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
  CERT_HAS_EXPIRED: 'TLS failed: the certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'TLS failed: the certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'TLS failed: the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'TLS failed: the certificate was issued by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'TLS failed: the certificate chain is incomplete or from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'TLS failed: the certificate chain is incomplete or from an unknown authority',
};

const TLS_CODE = /^(?:ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|EPROTO)/;

/** undici wraps socket errors, so the innermost error with a code is the most precise. */
function codeOf(error: unknown): string {
  let code = '';
  for (let current = error; current instanceof Error; current = current.cause)
    code = (current as NodeJS.ErrnoException).code ?? code;
  return code;
}
