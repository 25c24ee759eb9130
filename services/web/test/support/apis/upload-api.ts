import { uploadKindSchema, type UploadKind, type UploadView } from '@paywatch/domain/contract';
import { inspectUpload } from '@paywatch/domain/uploads';
import type { Handlers, StreamHandlers } from '../contract-server.ts';
import { problem } from '../problem.ts';

type StoredUpload = { view: UploadView; content: Buffer };

/** Uploads in memory, inspected as the API does. `onDeleted` is called with the id of a deleted one. */
export function createUploadApi(onDeleted: (id: string) => void = () => undefined) {
  const stored: StoredUpload[] = [];
  const store = (kind: UploadKind, content: Buffer, name: string) => {
    const found = inspectUpload(kind, content);
    if (typeof found === 'string') return found;
    const { durationMs, ...facts } = found;
    const id = `upl_${'1'.repeat(stored.length + 1)}`;
    const view = {
      id,
      kind,
      name,
      ...facts,
      bytes: content.length,
      duration_ms: durationMs,
      url: `https://pay.example/v1/public/uploads/${id}`,
      created_at: '2026-11-20T12:00:00.000Z',
    };
    stored.unshift({ view, content });
    return view;
  };
  const handlers: Handlers = {
    listUploads: () => ({ status: 200, body: { data: stored.map(({ view }) => view) } }),
    createUpload: ({ query, file }) => {
      const kind = uploadKindSchema.parse(query.get('kind'));
      const created = store(kind, file, query.get('name') ?? '');
      return typeof created === 'string' ? problem(created) : { status: 201, body: created };
    },
    deleteUpload: ({ params: { uploadId } }) => {
      const index = stored.findIndex(({ view }) => view.id === uploadId);
      const [deleted] = index < 0 ? [] : stored.splice(index, 1);
      if (!deleted) return problem('upload_not_found');
      onDeleted(deleted.view.id);
      return { status: 200, body: deleted.view };
    },
  };
  const streams: StreamHandlers = {
    getUpload: ({ params: { uploadId } }, response) => {
      const found = stored.find(({ view }) => view.id === uploadId);
      if (found) response.writeHead(200, { 'Content-Type': found.view.type }).end(found.content);
      else response.writeHead(404).end();
    },
  };
  /** Returns the id. */
  const add = (kind: UploadKind, content: Buffer, name = 'file'): string => {
    const created = store(kind, content, name);
    if (typeof created === 'string') throw new Error(created);
    return created.id;
  };
  const reset = () => void stored.splice(0);
  return { add, handlers, streams, reset };
}
