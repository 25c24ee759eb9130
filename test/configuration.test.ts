import { apiVariables } from '@paywatch/api/config';
import { migrationVariables } from '@paywatch/cli/config';
import { watcherVariables } from '@paywatch/watcher/config';
import { webhookWorkerVariables } from '@paywatch/webhook-worker/config';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import { configurationPage } from './support/configuration-page.ts';

test('docs/configuration.md lists every variable as the processes validate it', async () => {
  const page = configurationPage([
    { process: 'API', shape: apiVariables.shape },
    { process: 'Watcher', shape: watcherVariables.shape },
    { process: 'Webhook worker', shape: webhookWorkerVariables.shape },
    { process: '`paywatch migrate`', shape: migrationVariables.shape },
  ]);
  const formatted = await format(page, { parser: 'markdown', proseWrap: 'preserve' });
  await expect(formatted).toMatchFileSnapshot('../docs/configuration.md');
});
