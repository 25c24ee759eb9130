import { Socket } from 'node:net';

export type ConnectionAttempts = {
  /** Every address that this process began to connect to, `address:port`. */
  seen: string[];
  stop(): void;
};

/** Watches each TCP connection that this process begins, wherever in it. The connections themselves are left as they are. */
export function watchConnectionAttempts(): ConnectionAttempts {
  const seen: string[] = [];
  const original = Socket.prototype.connect;
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]): Socket {
    this.on('connectionAttempt', (address, port) => seen.push(`${address}:${port}`));
    return Reflect.apply(original, this, args);
  };
  return {
    seen,
    stop: () => {
      Socket.prototype.connect = original;
    },
  };
}
