import { startTestServers } from '@paywatch/dev/servers';
import { migrate } from '../src/postgres/migrate.ts';

export default (): Promise<() => Promise<void>> => startTestServers(migrate);
