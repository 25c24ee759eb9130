import { ADDRESSES } from '../paths.ts';

/**
 * Restarts a process that systemd considers running, but that responds to none of three probes. systemd's own watchdog would need
 * notifications on a datagram socket, which Node cannot open.
 */
export const WATCHDOG_SCRIPT = `#!/bin/sh
# Written by \`paywatch install\`. Argument: the admin port.
set -eu
responds() {
  for attempt in 1 2 3; do
    if curl --silent --fail --output /dev/null --max-time 5 "http://$1/health/live"; then return 0; fi
    sleep 2
  done
  return 1
}
check() {
  since=$(systemctl show --property=ActiveEnterTimestampMonotonic --value "$1")
  now=$(awk '{ printf "%d", $1 * 1000000 }' /proc/uptime)
  # A process that has just started, or has been stopped, is left alone.
  if ! systemctl is-active --quiet "$1" || [ $((now - since)) -lt 120000000 ]; then return 0; fi
  if responds "$2"; then return 0; fi
  echo "$1 does not respond; restarting it"
  systemctl restart "$1"
}
${Object.entries(ADDRESSES)
  .map(([unit, address]) => `check ${unit} "${address}:$1"`)
  .join('\n')}
`;
