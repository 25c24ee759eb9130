import { startTestServers } from '@paywatch/dev';
import { migrate } from '../src/migrate.ts';

export default (): Promise<() => Promise<void>> => startTestServers(migrate);
