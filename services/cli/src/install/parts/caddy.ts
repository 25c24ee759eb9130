import { ADDRESSES, ADMIN_PORT, UNITS } from '../paths.ts';
import type { Answers } from '../answers/answers.ts';
import { rootFile } from '../plan/files.ts';
import type { Design } from '../plan/plan-install.ts';
import type { Step } from '../plan/step.ts';

export const CADDYFILE = '/etc/caddy/Caddyfile';
export const SITE_LINE = 'import paywatch.caddyfile';
export const SITE_FILE = '/etc/caddy/paywatch.caddyfile';

/** Caddy terminates TLS with a certificate by ACME, and sends requests to both replicas of the API. */
export function caddyParts({ answers }: Design): Step[] {
  const limit = '[Service]\nMemoryMax=512M\nRestart=on-failure\n';
  return [
    { kind: 'folder', path: `${UNITS}/caddy.service.d`, mode: 0o755, owner: 'root:root' },
    rootFile(`${UNITS}/caddy.service.d/paywatch.conf`, limit, { affects: ['caddy'] }),
    rootFile(SITE_FILE, site(answers), { affects: ['caddy'] }),
    { kind: 'line', path: CADDYFILE, line: SITE_LINE, affects: ['caddy'] },
    { kind: 'unit', name: 'caddy' },
  ];
}

/**
 * Caddy replaces X-Forwarded-For by the client's address, and sends events of streams at once. A request whose replica refuses the
 * connection goes to the other replica; nothing else is repeated.
 */
function site({ domain, acme }: Answers): string {
  const authority = acme === null ? '' : `\ttls {\n\t\tca ${acme.directory}\n\t\tca_root ${acme.root}\n\t}\n`;
  const replicas = [ADDRESSES['paywatch-api@1'], ADDRESSES['paywatch-api@2']];
  return `# Written by \`paywatch install\`. Certificates are requested and renewed by ACME.
${domain} {
${authority}\theader Strict-Transport-Security "max-age=31536000"
\trequest_body {
\t\tmax_size 20MB
\t}
\treverse_proxy ${replicas.map((address) => `${address}:8080`).join(' ')} {
\t\tlb_policy least_conn
\t\tlb_try_duration 10s
\t\tlb_try_interval 100ms
\t\tfail_duration 1s
\t\thealth_uri /health/ready
\t\thealth_port ${ADMIN_PORT}
\t\thealth_interval 1s
\t\thealth_timeout 2s
\t}
}
`;
}
