import { startTestServers } from '@paywatch/dev';
import { migrate } from '@paywatch/store';

export default (): Promise<() => Promise<void>> => startTestServers(migrate);
