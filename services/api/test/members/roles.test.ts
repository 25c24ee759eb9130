import {
  includesRole,
  isOfProject,
  OPERATIONS,
  projectRoleSchema,
  type Operation,
  type ProjectRole,
} from '@paywatch/domain/contract';
import { describe, expect, it } from 'vitest';
import { expectProblem, openAccount, sharedApi, type TestAccount } from '../support/api.ts';
import { addMember, projectIdOf } from '../support/members.ts';

/* Made from the table of operations: a new operation is tested for each role without a line here. */

const api = await sharedApi({
  env: {
    ACCOUNT_LIMIT_POINTS: '10000',
    PROJECT_CHANGE_LIMIT_POINTS: '10000',
    EXPORT_LIMIT_POINTS: '10000',
    UPLOAD_LIMIT_POINTS: '10000',
    REDELIVERY_LIMIT_POINTS: '10000',
  },
});
const owner = await openAccount(api);
const project = await projectIdOf(api, owner);

const ofProject = Object.entries<Operation>(OPERATIONS).filter(([, operation]) => isOfProject(operation));
/** Leaving would end the membership that the other requests need; members.test.ts tests it with each role. */
const staying = ofProject.filter(([id]) => id !== 'leaveProject');
const ofAccount = Object.entries<Operation>(OPERATIONS).filter(([, { role }]) => role === 'account');

describe('in a project of somebody else', () => {
  it.each(projectRoleSchema.options)(
    'the role %s may do what the table says, and nothing else',
    async (role) => {
      const member = await openAccount(api);
      await addMember(api, owner, member, role);
      const refused = await Promise.all(
        staying.map(async ([id, operation]) => ((await isForbidden(member, operation)) ? id : null)),
      );
      const expected = staying.map(([id, { role: needed }]) =>
        includesRole(role, needed as ProjectRole) ? null : id,
      );
      expect(refused).toEqual(expected);
    },
  );

  it('a stranger gets the answer of an unknown id from every operation', async () => {
    const stranger = await openAccount(api);
    for (const [, operation] of ofProject) {
      const [foreign, unknown] = [
        await send(stranger, operation, project),
        await send(stranger, operation, `prj_${'0'.repeat(32)}`),
      ];
      expectProblem(foreign, 404, 'project_not_found');
      const { request_id: _, ...body } = foreign.body;
      expect(unknown.body).toMatchObject(body);
    }
  });
});

it.each(['', 'x'.repeat(3000), 'prj_\u00e9', "prj_' or 1=1 --"])(
  'a malformed id of a project is answered as an unknown one: %j',
  async (id) => {
    const named = api.call('get', '/v1/stats', { session: owner.session }).set('Paywatch-Project', id);
    expectProblem(await named, 404, 'project_not_found');
  },
);

it('an API key is refused with a header that names a project, even its own', async () => {
  const { body } = await api.call('post', '/v1/api-keys', { session: owner.session }).expect(201);
  const named = api.call('get', '/v1/stats', { apiKey: body.token }).set('Paywatch-Project', project);
  expectProblem(await named, 403, 'forbidden');
});

it('operations of the account act on the account of the caller, whatever project the request names', async () => {
  expect(ofAccount.length).toBeGreaterThan(10);
  const stranger = await openAccount(api);
  const { body } = await api
    .call('get', '/v1/sessions', { session: stranger.session })
    .set('Paywatch-Project', project)
    .expect(200);
  expect(body.data).toHaveLength(1);
});

async function isForbidden(member: TestAccount, operation: Operation): Promise<boolean> {
  const { status, body } = await send(member, operation, project);
  if (status >= 500 || body.code === 'project_not_found' || status === 401)
    throw new Error(JSON.stringify(body));
  return body.code === 'forbidden';
}

/** Without a body and with unknown ids: most responses are problems, of the request or of what it names. */
function send({ session }: TestAccount, { method, path }: Operation, id: string) {
  const filled = path
    .replace('{publicId}', 'inv_1111111111111111')
    .replace('{id}', 'evt_1111111111111111')
    .replace('{currency}', 'BTC')
    .replace('{kind}', 'donate')
    .replaceAll(/\{\w+\}/g, 'unknown');
  return api.call(method, filled, { session }).set('Paywatch-Project', id);
}
