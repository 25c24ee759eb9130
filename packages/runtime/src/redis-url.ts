/** One server of a topology. */
export type RedisAddress = { host: string; port: number };

type Login = { username?: string; password?: string };

/** Where Redis is and how it is laid out, as a URL names it. */
export type RedisLocation =
  | { topology: 'standalone'; url: string }
  | {
      topology: 'sentinel';
      sentinels: readonly RedisAddress[];
      masterName: string;
      database: number;
      /** At the servers. */
      login: Login;
      sentinelLogin: Login;
      isTls: boolean;
    }
  | { topology: 'cluster'; nodes: readonly RedisAddress[]; login: Login; isTls: boolean };

const FORMS =
  'must be redis://host:port, redis+sentinel://host:port,host:port/master or redis+cluster://host:port,host:port (rediss… for TLS)';
const URL_PARTS =
  /^(?<scheme>rediss?)(?:\+(?<topology>sentinel|cluster))?:\/\/(?:(?<login>[^@/?]*)@)?(?<hosts>[^@/?#]+)(?:\/(?<path>[^?#]*))?(?:\?(?<query>[^#]*))?$/;

/**
 * Parses `redis://` (one server), `redis+sentinel://…/master?db=0&sentinel_password=…` and `redis+cluster://`; each with
 * `rediss` for TLS, user and password before the first host, and the port 6379 (Sentinels 26379) where none is named.
 * Throws Error with a line that never holds a part of the URL, since it carries a password.
 */
export function parseRedisUrl(url: string): RedisLocation {
  const parts = URL_PARTS.exec(url)?.groups;
  if (!parts) throw new Error(FORMS);
  const login = parseLogin(parts['login']);
  const isTls = parts['scheme'] === 'rediss';
  if (parts['topology'] === 'cluster') return cluster(parts, login, isTls);
  if (parts['topology'] === 'sentinel') return sentinel(parts, login, isTls);
  if (!URL.canParse(url)) throw new Error(FORMS);
  return { topology: 'standalone', url };
}

type Parts = Record<string, string | undefined>;

function cluster(parts: Parts, login: Login, isTls: boolean): RedisLocation {
  // A cluster has database 0 alone.
  if (parts['path'] || parts['query'])
    throw new Error('a cluster’s URL ends with its hosts: it has one database');
  return { topology: 'cluster', nodes: parseHosts(parts['hosts'], 6379), login, isTls };
}

function sentinel(parts: Parts, login: Login, isTls: boolean): RedisLocation {
  const query = new URLSearchParams(parts['query']);
  const database = Number(query.get('db') ?? '0');
  if (!Number.isInteger(database) || database < 0) throw new Error('db must be a number from 0 up');
  return {
    topology: 'sentinel',
    sentinels: parseHosts(parts['hosts'], 26_379),
    masterName: decodeURIComponent(parts['path'] || 'mymaster'),
    database,
    login,
    sentinelLogin: loginOf(query.get('sentinel_username'), query.get('sentinel_password')),
    isTls,
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
