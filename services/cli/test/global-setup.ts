import { startTestServers } from '@paywatch/dev/servers';
import { migrate } from '@paywatch/store/postgres';

export default (): Promise<() => Promise<void>> => startTestServers(migrate);
