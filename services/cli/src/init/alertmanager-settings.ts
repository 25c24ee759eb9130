import type { GivenSecrets } from './compose-secrets.ts';

const HEAD = `# Where alerts go. Written by \`paywatch init --compose\`; yours to change.
route:
  receiver: operator
  group_by: [alertname]
  group_wait: 30s
  group_interval: 5m
  repeat_interval: 4h
receivers:
  - name: operator
`;

/** alertmanager.yml: mails alerts to the operator if there is an address and an SMTP server, else only keeps them. */
export function alertmanagerSettings(email: string | null, { MAIL_URL, MAIL_FROM }: GivenSecrets): string {
  if (email === null || MAIL_URL === undefined) return HEAD;
  const server = new URL(MAIL_URL);
  const port = server.port || (server.protocol === 'smtps:' ? '465' : '587');
  const settings = {
    to: email,
    from: MAIL_FROM ?? email,
    smarthost: `${server.hostname}:${port}`,
    ...(server.username !== '' && {
      auth_username: decodeURIComponent(server.username),
      auth_password: decodeURIComponent(server.password),
    }),
    send_resolved: true,
  };
  // JSON is YAML.
  return `${HEAD}    email_configs:\n      - ${JSON.stringify(settings)}\n`;
}
