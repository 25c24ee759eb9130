import type { Finding } from '@paywatch/domain/deployment';
import { existsSync } from 'node:fs';
import { ANSWERS_FILE, givenAnswers, parseAnswers } from '../../install/answers/read-answers.ts';
import { attempt } from '../attempt.ts';
import { checkBackup } from './check-backup.ts';
import { checkDisk } from './check-disk.ts';
import { checkNode } from './check-node.ts';
import { checkTimeSource } from './check-time-source.ts';

/** Where `paywatch install` keeps data, besides the backups. */
const DATA = ['/', '/var/lib/postgresql', '/var/log'];
const ADVICE = 'Run this command as root, who can read the answers of `paywatch install`.';

/**
 * Checks this machine: Node, the disk, and where `paywatch install` has set it up also its time source and its backups. Never rejects.
 */
export async function checkMachine(answersFile = ANSWERS_FILE): Promise<Finding[]> {
  const node = checkNode(process.version);
  if (!existsSync(answersFile)) return [node, await checkDisk(DATA)];
  const folders = [...DATA];
  const backup = await attempt('Backup', ADVICE, async () => {
    const folder = parseAnswers(givenAnswers({}, answersFile)).backups?.folder ?? null;
    if (folder !== null) folders.push(folder);
    return checkBackup(folder);
  });
  return [node, ...(await checkTimeSource()), await checkDisk(folders), backup];
}
