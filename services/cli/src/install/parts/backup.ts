import { SCRIPTS } from '../paths.ts';
import { rootFile } from '../plan/files.ts';
import type { Design } from '../plan/plan-install.ts';
import type { Step } from '../plan/step.ts';
import { BACKUP_SCRIPT, RESTORE_SCRIPT } from './backup-scripts.ts';
import { DATABASE } from './secrets.ts';
import { timer } from './services.ts';

/** A dump every night, which is restored into a second database and compared before it counts. Nothing without a folder. */
export function backupParts({ answers: { backups } }: Design): Step[] {
  if (backups === null) return [];
  const { folder, days } = backups;
  return [
    { kind: 'folder', path: folder, mode: 0o700, owner: 'postgres:postgres' },
    rootFile(`${SCRIPTS}/backup`, BACKUP_SCRIPT, { mode: 0o755 }),
    rootFile(`${SCRIPTS}/restore`, RESTORE_SCRIPT, { mode: 0o755 }),
    ...timer(
      'paywatch-backup',
      'OnCalendar=*-*-* 02:30\nRandomizedDelaySec=30min\nPersistent=true',
      unit(folder, days),
    ),
    { kind: 'unit', name: 'paywatch-backup.timer' },
  ];
}

function unit(folder: string, days: number): string {
  return `[Unit]
Description=Paywatch backup with a restore check

[Service]
Type=oneshot
ExecStart=${SCRIPTS}/backup ${DATABASE} ${folder} ${days}
User=postgres
TimeoutStartSec=6h
Nice=10
IOSchedulingClass=idle
ProtectSystem=strict
ProtectHome=yes
ReadWritePaths=${folder}
NoNewPrivileges=yes
PrivateTmp=yes
PrivateDevices=yes
UMask=0077
`;
}
