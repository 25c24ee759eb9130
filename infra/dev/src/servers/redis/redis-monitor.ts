import { Redis } from 'ioredis';

/** What a Redis is told from now on. */
export type CommandRecording = {
  /** One line for each command, those inside scripts included: its name and arguments, as Redis shows them. */
  commands: readonly string[];
  stop(): Promise<void>;
};

/** Records every command that anybody sends to a Redis. It goes on after the server was emptied, not after it ended. */
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
