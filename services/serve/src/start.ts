import { keepHeapSmall } from '@paywatch/runtime/process';

/** Starts `paywatch serve`. Resolves when all roles run; rejects like `serve`. */
export async function startServe(env?: NodeJS.ProcessEnv): Promise<void> {
  keepHeapSmall();
  const { serve } = await import('./serve.ts');
  await serve(env);
}
