import { pause } from '@paywatch/runtime';
import { AbstractConnector, type Cluster, type Redis, type RedisOptions } from 'ioredis';
import { createConnection, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';

const LOOK_MS = 50;

/** How ioredis finds a server to connect to: any node of the cluster, another one at each attempt. */
export function roamingConnector(cluster: Cluster) {
  let attempts = 0;
  return class extends AbstractConnector {
    constructor(options: unknown) {
      super((options as RedisOptions).disconnectTimeout ?? 2000);
    }

    async connect(): Promise<Socket | TLSSocket> {
      this.connecting = true;
      attempts += 1;
      const { host = '127.0.0.1', port = 6379, tls } = (await this.#findNode()).options;
      const socket = tls
        ? connectTls({ servername: host, ...tls, host, port })
        : createConnection({ host, port });
      socket.once('error', (error) => (this.firstError = error));
      this.stream = socket;
      return socket;
    }

    /** Waits while the cluster is away as a whole: ioredis would take an error for the end. */
    async #findNode(): Promise<Redis> {
      for (;;) {
        const nodes = cluster.nodes('all');
        const node = nodes[attempts % nodes.length];
        if (node !== undefined) return node;
        await pause(LOOK_MS);
        if (!this.connecting) throw new Error('the connection was closed');
      }
    }
  };
}
