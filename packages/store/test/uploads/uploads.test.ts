import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { UpdateOverlaySettingsBody } from '@paywatch/domain/contract';
import { byOperator } from '../../src/accounts/authorize.ts';
import { changeOverlaySettings, loadOverlaySettings } from '../../src/donations/overlay/overlay-settings.ts';
import {
  createUpload,
  deleteUpload,
  listUploads,
  loadUploadedFile,
  type NewUpload,
} from '../../src/uploads/uploads.ts';
import { createProject } from '../support/fixtures.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

const MAX_BYTES = 512 * 1024;
let store: TestStore;
let projectId: bigint;

beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  ({ projectId } = await createProject(store));
});

/** A sound of the project with random content. */
function newUpload(change: Partial<NewUpload> = {}): NewUpload {
  return {
    projectId,
    publicId: `upl_${randomBytes(8).toString('hex')}`,
    kind: 'sound',
    name: 'Bell',
    type: 'audio/wav',
    width: null,
    height: null,
    durationMs: 800,
    content: randomBytes(1000),
    ...change,
  };
}

const refuse = (): Promise<never> => Promise.reject(new Error('refused'));
const create = (upload: NewUpload) => createUpload(store, byOperator, upload);

test('an upload of the maximum size is loaded byte for byte, and listed without its content, newest first', async () => {
  const first = newUpload({ content: randomBytes(MAX_BYTES) });
  const second = newUpload({ kind: 'image', type: 'image/png', width: 12, height: 8, durationMs: null });
  const created = [await create(first), await create(second)];
  expect(created[0]).toMatchObject({ publicId: first.publicId, bytes: MAX_BYTES, durationMs: 800 });
  expect(await listUploads(store, projectId)).toEqual(created.toReversed());
  const file = await loadUploadedFile(store, first.publicId);
  expect(file?.type).toBe('audio/wav');
  expect(file?.content.equals(first.content)).toBe(true);
});

test('Postgres refuses a larger content and an unknown kind', async () => {
  const tooLarge = newUpload({ content: Buffer.alloc(MAX_BYTES + 1) });
  await expect(create(tooLarge)).rejects.toMatchObject({ constraint_name: 'uploads_size' });
  const page = newUpload({ kind: 'page' as NewUpload['kind'] });
  await expect(create(page)).rejects.toMatchObject({ constraint_name: 'uploads_kind' });
  expect(await listUploads(store, projectId)).toEqual([]);
});

describe('deleting', () => {
  test('takes the file away and frees its place', async () => {
    const uploads = Array.from({ length: 20 }, () => newUpload());
    for (const upload of uploads) expect(await create(upload)).not.toBeNull();
    expect(await create(newUpload())).toBeNull();
    const publicId = uploads[7]?.publicId ?? '';
    expect(await deleteUpload(store, byOperator, { projectId, publicId })).toMatchObject({ publicId });
    expect(await loadUploadedFile(store, publicId)).toBeNull();
    expect(await deleteUpload(store, byOperator, { projectId, publicId })).toBeNull();
    expect(await create(newUpload())).not.toBeNull();
  });

  test('does not reach the uploads of another project', async () => {
    const upload = newUpload();
    await create(upload);
    const { projectId: other } = await createProject(store);
    const { publicId } = upload;
    expect(await listUploads(store, other)).toEqual([]);
    expect(await deleteUpload(store, byOperator, { projectId: other, publicId })).toBeNull();
    expect(await loadUploadedFile(store, publicId)).not.toBeNull();
  });
});

test('of thirty uploads at once, exactly twenty are stored', async () => {
  const created = await Promise.all(Array.from({ length: 30 }, () => create(newUpload())));
  expect(created.filter((upload) => upload !== null)).toHaveLength(20);
  expect(await listUploads(store, projectId)).toHaveLength(20);
});

test('nothing is stored or deleted by a caller whose authorization fails', async () => {
  const upload = newUpload();
  await create(upload);
  await expect(createUpload(store, refuse, newUpload())).rejects.toThrow('refused');
  const name = { projectId, publicId: upload.publicId };
  await expect(deleteUpload(store, refuse, name)).rejects.toThrow('refused');
  expect(await listUploads(store, projectId)).toHaveLength(1);
});

const settingsOf = async (of = projectId) =>
  (await loadOverlaySettings(store, [of])).get(String(of))?.settings;
const change = (settings: UpdateOverlaySettingsBody, of = projectId) =>
  changeOverlaySettings(store, byOperator, of, settings);

describe('the settings of an overlay', () => {
  test('name an upload of their project only, of the kind that is needed', async () => {
    const [sound, image] = [newUpload(), newUpload({ kind: 'image', type: 'image/png', durationMs: null })];
    await create(sound);
    await create(image);
    const { projectId: other } = await createProject(store);
    expect(await change({ sound_upload: sound.publicId })).toMatchObject({ sound_upload: sound.publicId });
    expect(await change({ image_upload: sound.publicId })).toMatchObject({
      unknownUpload: { path: 'image_upload', kind: 'image' },
    });
    expect(await change({ image_upload: image.publicId }, other)).toHaveProperty('unknownUpload');
    expect(await settingsOf()).toMatchObject({ sound_upload: sound.publicId, image_upload: null });
    expect(await settingsOf(other)).toMatchObject({ image_upload: null });
  });

  test('of an upload that is deleted while they are set to it never name it afterwards', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { publicId } = newUpload();
      await create(newUpload({ publicId }));
      await Promise.all([
        change({ sound_upload: publicId }),
        deleteUpload(store, byOperator, { projectId, publicId }),
      ]);
      expect(await settingsOf()).toMatchObject({ sound_upload: null });
    }
  });

  test('whose tiers were saved before there were uploads name none', async () => {
    await store.sql`
      update projects set overlay_settings = ${store.sql.json({ tiers: [{ template: 'neon', image: 'star' }] })}
      where id = ${projectId}`;
    expect((await settingsOf())?.tiers).toEqual([
      { template: 'neon', image: 'star', image_upload: null, sound_upload: null },
    ]);
  });
});
