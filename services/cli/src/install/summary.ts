import type { Answers } from './answers/answers.ts';
import { currenciesOf } from './answers/answers.ts';
import { ADDRESSES, ADMIN_PORT, SECRETS } from './paths.ts';
import { SOURCE_GUARANTEES } from './source-guarantees.ts';

/** What the operator should know after the installation, or before it with `--dry-run`. */
export function installSummary(answers: Answers): string {
  return [
    `Pages and API   https://${answers.domain}`,
    `Operator        register at https://${answers.domain}/account/register#operator with the code in ${SECRETS}/operator_code`,
    `Metrics         ${Object.values(ADDRESSES)
      .map((address) => `${address}:${ADMIN_PORT}`)
      .join(' ')} (/metrics, this machine only)`,
    `Logs            journalctl -u 'paywatch-*'`,
    `Status          paywatch status, paywatch doctor`,
    `Backups         ${backupText(answers)}`,
    `Keep a copy     ${SECRETS}/encryption_keys, apart from the backups: without it no webhook can be signed`,
    `Firewall        allow TCP 22, 80 and 443 from outside, and nothing else: for example`,
    `                ufw allow OpenSSH && ufw allow 80,443/tcp && ufw enable`,
    ...currenciesOf(answers).map((currency) => `${currency.padEnd(15)} ${sourceText(answers, currency)}`),
    SOURCE_GUARANTEES,
  ].join('\n');
}

function backupText({ backups }: Answers): string {
  return backups === null
    ? 'none: if this disk fails, every invoice is lost'
    : `every night to ${backups.folder}, kept for ${backups.days} days. Copy them to another machine`;
}

/** Names no URL: it may contain a password. */
function sourceText({ sources, network }: Answers, currency: 'BTC' | 'LTC'): string {
  return `${network}, read from ${sources[currency]?.kind === 'node' ? 'your own node' : 'an Esplora server'}`;
}
