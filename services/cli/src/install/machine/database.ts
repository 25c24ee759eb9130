import { randomBase64 } from '@paywatch/runtime/security';
import { matchesVerifier, scramVerifier } from '@paywatch/store/postgres';
import type { Step } from '../plan/step.ts';
import type { Machine, Output } from './machine.ts';

type Role = Extract<Step, { kind: 'role' }>;

/** Whether the role exists, may create the other roles, and has this password. */
export function isRoleDone({ name, password }: Role, machine: Machine): boolean {
  const { stdout } = query(
    machine,
    `select rolpassword from pg_authid where rolname = '${name}' and rolcanlogin and rolcreaterole;`,
  );
  return matchesVerifier(password, stdout.trim());
}

/** Creates the role, or changes its password. Postgres gets the verifier, so that no log contains the password. */
export function makeRole({ name, password }: Role, machine: Machine): void {
  const exists =
    query(machine, `select 'yes' from pg_roles where rolname = '${name}';`).stdout.trim() === 'yes';
  const verifier = scramVerifier(password, randomBase64(16));
  change(machine, `${exists ? 'alter' : 'create'} role ${name} login createrole password '${verifier}';`);
}

/** Whether the database exists. */
export function isDatabaseDone(name: string, machine: Machine): boolean {
  return query(machine, `select 'yes' from pg_database where datname = '${name}';`).stdout.trim() === 'yes';
}

/** Creates the database. */
export function makeDatabase({ name, owner }: Extract<Step, { kind: 'database' }>, machine: Machine): void {
  change(machine, `create database ${name} owner ${owner};`);
}

const AS_POSTGRES = ['-u', 'postgres', '--', 'psql', '-XqAt', '-v', 'ON_ERROR_STOP=1', '-d', 'postgres'];

/** An unreachable Postgres returns nothing, so the step counts as not done. */
function query(machine: Machine, sql: string): Output {
  return machine.ask('runuser', AS_POSTGRES, sql);
}

function change(machine: Machine, sql: string): void {
  machine.run('runuser', AS_POSTGRES, sql);
}
