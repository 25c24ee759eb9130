import { apiVariables } from '@paywatch/api/config';
import { migrationVariables } from '@paywatch/cli/config';
import { watcherVariables } from '@paywatch/watcher/config';
import { webhookWorkerVariables } from '@paywatch/webhook-worker/config';
import { repositoryFolder } from '@paywatch/dev/stack';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import { exampleSettings, withServiceSettings } from './support/compose-settings.ts';
import { configurationPage } from './support/configuration-page.ts';

const services = [
  { process: 'API', shape: apiVariables.shape },
  { process: 'Watcher', shape: watcherVariables.shape },
  { process: 'Webhook worker', shape: webhookWorkerVariables.shape },
];
const migration = { process: '`paywatch migrate`', shape: migrationVariables.shape };
const compose = readFileSync(join(repositoryFolder, 'compose.yaml'), 'utf8');

test('docs/configuration.md lists every variable as the processes validate it', async () => {
  const page = configurationPage([...services, migration]);
  const formatted = await format(page, { parser: 'markdown', proseWrap: 'preserve' });
  await expect(formatted).toMatchFileSnapshot('../docs/configuration.md');
});

test('compose.yaml passes every variable to the services, and .env.example lists each one that it reads', async () => {
  const complete = withServiceSettings(compose, services);
  await expect(complete).toMatchFileSnapshot('../compose.yaml');
  await expect(exampleSettings(complete, services)).toMatchFileSnapshot('../.env.example');
});
