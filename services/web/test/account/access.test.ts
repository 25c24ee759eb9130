import { OPERATIONS } from '@paywatch/domain/contract';
import { PROJECT_ROLES } from '@paywatch/domain/roles';
import { describe, expect, it } from 'vitest';
import { mayCall, maySee, NEEDED_ROLES, type LimitedOperation } from '../../src/account/app/access.ts';
import type { Route } from '../../src/account/app/route.ts';

const SCREENS = [
  'overview',
  'start',
  'invoices',
  'new-invoice',
  'invoice',
  'links',
  'donations',
  'wallets',
  'webhooks',
  'event',
  'keys',
  'members',
  'projects',
  'settings',
  'audit',
] as const satisfies readonly Route['screen'][];

const LIMITED = Object.keys(NEEDED_ROLES) as LimitedOperation[];

describe('the roles in the account area', () => {
  it('are those of the contract', () => {
    const ofContract = Object.fromEntries(LIMITED.map((id) => [id, OPERATIONS[id].role]));
    expect(NEEDED_ROLES).toEqual(ofContract);
  });

  it.each([
    ['owner', SCREENS],
    ['manager', SCREENS.filter((screen) => screen !== 'start' && screen !== 'audit')],
    ['accountant', SCREENS.filter((screen) => !['start', 'audit', 'new-invoice', 'keys'].includes(screen))],
    ['support', ['invoices', 'invoice', 'donations', 'webhooks', 'event', 'members', 'projects', 'settings']],
  ] as const)('%s sees its screens alone', (role, screens) => {
    expect(SCREENS.filter((screen) => maySee(role, screen))).toEqual(screens);
  });

  it.each(LIMITED)('%s is offered from its role upwards', (operation) => {
    const first = PROJECT_ROLES.indexOf(NEEDED_ROLES[operation]);
    const offered = PROJECT_ROLES.filter((role) => mayCall(role, operation));
    expect(offered).toEqual(PROJECT_ROLES.slice(0, first + 1));
  });
});
