import type { IncomingMessage, RequestListener } from 'node:http';
import { equalSecrets, sha256 } from '../security/random.ts';

/** Pages of the side port below one path, for whoever knows the password. */
export type GuardedPages = { path: string; password: string; handle: RequestListener };

/** Shows pages to those who give the password (HTTP Basic, any user name), and 401 to everybody else. */
export function serveGuarded({ password, handle }: GuardedPages): RequestListener {
  const wanted = sha256(password);
  return (request, response) => {
    // Hashed, so that neither the length nor the time tells anything.
    if (equalSecrets(sha256(passwordOf(request)), wanted)) handle(request, response);
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="paywatch"' }).end();
  };
}

function passwordOf({ headers }: IncomingMessage): string {
  const [scheme, encoded = ''] = (headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'basic') return '';
  const [, ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return rest.join(':');
}
