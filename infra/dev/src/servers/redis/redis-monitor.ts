import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

/** A recording of the commands that a Redis receives. */
export type CommandRecording = {
  /** One line per command with its quoted arguments, as MONITOR prints it; includes commands inside scripts. */
  commands: readonly string[];
  stop(): Promise<void>;
};

/**
 * Records every command of all clients until the server exits. FLUSHALL does not stop it.
 *
 * It speaks to the socket itself: the monitor of ioredis fails if a command of another client arrives together with
 * the reply to MONITOR.
 */
export async function recordCommands(url: string): Promise<CommandRecording> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  // The recording ends with the server.
  socket.on('error', () => undefined);
  const commands: string[] = [];
  const lines = createInterface({ input: socket }).on('line', (line) => commands.push(line));
  socket.write('MONITOR\r\n');
  await once(lines, 'line');
  const reply = commands.shift();
  if (reply !== '+OK') throw new Error(`Redis refuses MONITOR: ${reply}`);
  return {
    commands,
    stop: async () => {
      socket.destroy();
    },
  };
}
