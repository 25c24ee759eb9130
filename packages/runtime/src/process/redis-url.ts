/** Address of one server. */
type RedisAddress = { host: string; port: number };

type Login = { username?: string; password?: string };

/** Topology and addresses of a Redis, parsed from a URL. */
export type RedisLocation = {
  /** PEM file of the certificate authority of the servers; null for those of Node.js. */
  caFile: string | null;
} & (
  | { topology: 'standalone'; url: string }
  | {
      topology: 'sentinel';
      sentinels: readonly RedisAddress[];
      masterName: string;
      database: number;
      /** Credentials for the servers, not for the Sentinels. */
      login: Login;
      sentinelLogin: Login;
      isTls: boolean;
    }
  | { topology: 'cluster'; nodes: readonly RedisAddress[]; login: Login; isTls: boolean }
);

const FORMS =
  'must be redis://host:port, redis+sentinel://host:port,host:port/master or redis+cluster://host:port,host:port (rediss… for TLS)';
const URL_PARTS =
  /^(?<scheme>rediss?)(?:\+(?<topology>sentinel|cluster))?:\/\/(?:(?<login>[^@/?]*)@)?(?<hosts>[^@/?#]+)(?:\/(?<path>[^?#]*))?(?:\?(?<query>[^#]*))?$/;

/**
 * Parses `redis://` (one server), `redis+sentinel://…/master?db=0&sentinel_password=…` and `redis+cluster://`. `rediss` means TLS, with
 * `?ca_file=` for your own certificate authority. User and password precede the first host. The default port is 6379, for Sentinels
 * 26379. Throws Error; its message contains no part of the URL, which may include a password.
 */
export function parseRedisUrl(url: string): RedisLocation {
  const parts = URL_PARTS.exec(url)?.groups;
  if (!parts) throw new Error(FORMS);
  const login = parseLogin(parts['login']);
  const isTls = parts['scheme'] === 'rediss';
  if (parts['topology'] === 'cluster') return cluster(parts, login, isTls);
  if (parts['topology'] === 'sentinel') return sentinel(parts, login, isTls);
  if (!URL.canParse(url)) throw new Error(FORMS);
  const bare = new URL(url);
  const caFile = bare.searchParams.get('ca_file');
  bare.searchParams.delete('ca_file');
  return { topology: 'standalone', url: caFile === null ? url : bare.href, caFile: caFileOf(caFile, isTls) };
}

function caFileOf(caFile: string | null, isTls: boolean): string | null {
  if (caFile !== null && !isTls) throw new Error('ca_file requires TLS: the URL must start with rediss');
  return caFile;
}

/** Whether the URL has a password, uses TLS, and names only this machine. Throws as `parseRedisUrl` does. */
export function redisProtection(url: string): { hasPassword: boolean; isTls: boolean; isLocal: boolean } {
  const location = parseRedisUrl(url);
  const isTls = url.startsWith('rediss');
  if (location.topology === 'standalone') {
    const { hostname, password } = new URL(location.url);
    return { hasPassword: password !== '', isTls, isLocal: isLoopback(hostname) };
  }
  const hosts = location.topology === 'cluster' ? location.nodes : location.sentinels;
  const hasPassword = location.login.password !== undefined;
  return { hasPassword, isTls, isLocal: hosts.every(({ host }) => isLoopback(host)) };
}

/** Whether a host of a URL is this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

type Parts = Record<string, string | undefined>;

function cluster(parts: Parts, login: Login, isTls: boolean): RedisLocation {
  const query = new URLSearchParams(parts['query']);
  const caFile = caFileOf(query.get('ca_file'), isTls);
  query.delete('ca_file');
  // A cluster has only database 0.
  if (parts['path'] || query.size > 0)
    throw new Error('the URL of a cluster must not name a database or options');
  return { topology: 'cluster', nodes: parseHosts(parts['hosts'], 6379), login, isTls, caFile };
}

function sentinel(parts: Parts, login: Login, isTls: boolean): RedisLocation {
  const query = new URLSearchParams(parts['query']);
  const database = Number(query.get('db') ?? '0');
  if (!Number.isInteger(database) || database < 0) throw new Error('db must be 0 or a positive number');
  return {
    topology: 'sentinel',
    sentinels: parseHosts(parts['hosts'], 26_379),
    masterName: decodeURIComponent(parts['path'] || 'mymaster'),
    database,
    login,
    sentinelLogin: loginOf(query.get('sentinel_username'), query.get('sentinel_password')),
    isTls,
    caFile: caFileOf(query.get('ca_file'), isTls),
  };
}

function parseHosts(text = '', defaultPort: number): RedisAddress[] {
  return text.split(',').map((entry) => {
    const [, bracketed, name, port] =
      /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
    const host = bracketed ?? name;
    if (host === undefined || Number(port ?? 1) > 65_535) throw new Error(FORMS);
    return { host, port: port === undefined ? defaultPort : Number(port) };
  });
}

function parseLogin(text: string | undefined): Login {
  if (!text) return {};
  const [username = '', ...rest] = text.split(':');
  return loginOf(decodeURIComponent(username), decodeURIComponent(rest.join(':')));
}

function loginOf(username: string | null, password: string | null): Login {
  return { ...(username ? { username } : {}), ...(password ? { password } : {}) };
}
