import { startTestServers } from '@paywatch/dev';
import { migrate } from '@paywatch/store/postgres';

export default (): Promise<() => Promise<void>> => startTestServers(migrate);
