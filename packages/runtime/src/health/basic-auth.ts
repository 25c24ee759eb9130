import type { IncomingMessage, RequestListener } from 'node:http';
import { equalSecrets, sha256 } from '../security/secret-hash.ts';

/** Pages of the admin port below one path, protected by a password. */
export type ProtectedPages = { path: string; password: string; handle: RequestListener };

/** Handles requests with the right password (HTTP Basic, any user name) and responds with 401 to all others. */
export function requireBasicAuth({ password, handle }: ProtectedPages): RequestListener {
  const expected = sha256(password);
  return (request, response) => {
    // Hashing makes the lengths equal, so that the comparison takes constant time.
    if (equalSecrets(sha256(passwordOf(request)), expected)) handle(request, response);
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="paywatch"' }).end();
  };
}

function passwordOf({ headers }: IncomingMessage): string {
  const [scheme, encoded = ''] = (headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'basic') return '';
  const [, ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return rest.join(':');
}
