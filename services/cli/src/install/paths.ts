/** Programs: the pinned Node, every installed release, and the link to the one that runs. */
export const PROGRAMS = '/opt/paywatch';
export const RELEASES = `${PROGRAMS}/releases`;
export const CURRENT = `${PROGRAMS}/current`;
/** Settings; the secrets below are readable by root alone. */
export const SETTINGS = '/etc/paywatch';
export const SECRETS = `${SETTINGS}/secrets`;
export const ENVIRONMENT_FILE = `${SETTINGS}/paywatch.env`;
/** For settings of the operator's own, which the installer never changes. */
export const LOCAL_ENVIRONMENT_FILE = `${SETTINGS}/local.env`;
export const SCRIPTS = `${PROGRAMS}/scripts`;
export const UNITS = '/etc/systemd/system';
/** The admin port of every process. Not 9100, the port of Prometheus' node exporter. */
export const ADMIN_PORT = 9180;
/** Each process has a loopback address of its own, so that all can use the same ports. */
export const ADDRESSES = {
  'paywatch-api@1': '127.0.0.1',
  'paywatch-api@2': '127.0.0.2',
  'paywatch-watcher': '127.0.0.3',
  'paywatch-webhook-worker': '127.0.0.4',
} as const;
/** A systemd unit that runs a process of Paywatch. */
export type ServiceUnit = keyof typeof ADDRESSES;
/** In the order in which they start and are upgraded: addresses are leased only after a watcher has checked them. */
export const SERVICE_UNITS: readonly ServiceUnit[] = [
  'paywatch-watcher',
  'paywatch-webhook-worker',
  'paywatch-api@1',
  'paywatch-api@2',
];
