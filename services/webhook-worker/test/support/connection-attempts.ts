import { Socket } from 'node:net';

export type ConnectionAttempts = {
  /** Every `address:port` that this process tried to connect to. */
  seen: string[];
  stop(): void;
};

/** Records every outgoing TCP connection of this process without changing it. */
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
