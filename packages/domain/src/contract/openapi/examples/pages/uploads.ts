import type { UploadView } from '../../../resources/uploads/uploads.ts';
import type { OperationExample } from '../operation-example.ts';

const upload: UploadView = {
  id: 'upl_4Hn7kTq2ZsWx9LmVb3YcRp',
  kind: 'image',
  name: 'confetti.gif',
  type: 'image/gif',
  bytes: 655,
  width: 12,
  height: 8,
  duration_ms: null,
  url: 'https://pay.example/v1/public/uploads/upl_4Hn7kTq2ZsWx9LmVb3YcRp',
  created_at: '2026-11-20T12:00:00.000Z',
};

/** Of uploads. The file itself is no text and has no example. */
export const uploadExamples = {
  createUpload: { response: upload },
  listUploads: { response: { data: [upload] } },
  deleteUpload: { response: upload },
  getUpload: { response: undefined },
} as const satisfies Record<string, OperationExample>;
