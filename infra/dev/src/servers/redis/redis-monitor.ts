import { Redis } from 'ioredis';

/** A recording of the commands that a Redis receives. */
export type CommandRecording = {
  /** One line per command with its arguments, in the format of MONITOR; includes commands inside scripts. */
  commands: readonly string[];
  stop(): Promise<void>;
};

/** Records every command of all clients until the server exits. FLUSHALL does not stop it. */
export async function recordCommands(url: string): Promise<CommandRecording> {
  const client = new Redis(url, { lazyConnect: true });
  await client.connect();
  const monitor = await client.monitor();
  const commands: string[] = [];
  monitor.on('monitor', (_time: string, words: string[]) => commands.push(words.join(' ')));
  return {
    commands,
    stop: async () => {
      monitor.disconnect();
      client.disconnect();
    },
  };
}
