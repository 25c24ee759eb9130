import { startAdminServer, type Checks } from '../health/admin-server.ts';
import type { ProtectedPages } from '../health/basic-auth.ts';
import type { Logger, MetricsSource } from '../observability/index.ts';
import { onShutdown, type ShutdownStep } from '../process/index.ts';

/** A started role of a process: API, watcher or webhook worker. */
export type Role = {
  /** Readiness checks by name. */
  checks: Checks;
  /** Unavailable servers that the role works without, with the reason. */
  degradations: () => Record<string, string>;
  /** Pages on the admin port. */
  pages?: ProtectedPages | undefined;
  /** Ends the role, after the process has announced that it stops. */
  shutdownSteps: () => ShutdownStep[];
};

/** Serves health and metrics of all roles on the admin port, and stops the roles at once on a signal. Returns the admin port. */
export async function runRoles(
  options: { port: number; host: string; registry: MetricsSource; logger: Logger },
  roles: readonly Role[],
): Promise<number> {
  const admin = await startAdminServer({
    ...options,
    checks: joinChecks(roles),
    degradations: () => Object.fromEntries(roles.flatMap((role) => Object.entries(role.degradations()))),
    pages: roles.find(({ pages }) => pages !== undefined)?.pages,
  });
  onShutdown(options.logger, () => [
    { name: 'announce', run: admin.drain },
    { parallel: roles.map((role) => role.shutdownSteps()) },
    { name: 'close admin', run: admin.close },
  ]);
  return admin.port;
}

/** A check of one name fails if it fails for any role, because each role has its own connections. */
function joinChecks(roles: readonly Role[]): Checks {
  const byName = Map.groupBy(
    roles.flatMap(({ checks }) => Object.entries(checks)),
    ([name]) => name,
  );
  return Object.fromEntries(
    [...byName].map(([name, checks]) => [
      name,
      async () => void (await Promise.all(checks.map(([, check]) => check()))),
    ]),
  );
}
