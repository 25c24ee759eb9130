import { UPLOAD_LIMITS } from '../../limits.ts';
import {
  createUploadQuerySchema,
  UPLOAD_PATH,
  UPLOAD_TYPES,
  uploadListSchema,
  uploadParamsSchema,
  uploadViewSchema,
} from '../../resources/uploads/uploads.ts';
import type { Operation } from '../operation.ts';

/** Pictures and sounds of the owner, for overlays and pages. */
export const uploadOperations = {
  createUpload: {
    method: 'post',
    path: '/v1/uploads',
    tag: 'Project',
    summary: 'Upload a picture or a sound',
    description:
      'The body is the file: GIF, WebP, PNG or JPEG with at most 2,048 pixels on a side, or MP3, OGG (Vorbis, Opus) or WAV of at most 10 seconds; at most 512 KiB. The content decides what it is, not its name. A `logo` is drawn anew: what is stored is a still WebP picture of at most 512 pixels on a side. A project has at most 20 uploads.',
    auth: 'bearer',
    role: 'manager',
    rateLimits: ['account', 'upload', 'project_change'],
    query: createUploadQuerySchema,
    upload: { maxBytes: UPLOAD_LIMITS.maxBytes },
    responses: { 201: { description: 'The upload.', schema: uploadViewSchema } },
    errors: ['file_not_supported', 'image_too_large', 'sound_too_long', 'too_many_uploads'],
  },
  listUploads: {
    method: 'get',
    path: '/v1/uploads',
    tag: 'Project',
    summary: 'List uploads',
    auth: 'bearer',
    role: 'accountant',
    rateLimits: ['account'],
    responses: { 200: { description: 'All uploads, newest first.', schema: uploadListSchema } },
    errors: [],
  },
  deleteUpload: {
    method: 'delete',
    path: '/v1/uploads/{uploadId}',
    tag: 'Project',
    summary: 'Delete an upload',
    description: 'Its URL returns 404 from now on. Settings that use it fall back to their default.',
    auth: 'bearer',
    role: 'manager',
    rateLimits: ['account', 'project_change'],
    params: uploadParamsSchema,
    unknownParam: 'upload_not_found',
    responses: { 200: { description: 'The upload as it was.', schema: uploadViewSchema } },
    errors: [],
  },
  getUpload: {
    method: 'get',
    path: UPLOAD_PATH,
    tag: 'Public',
    summary: 'Load an uploaded picture or sound',
    description:
      'Its content never changes. Browsers treat it as that picture or sound and as nothing else. `Range` requests a part of it, `If-None-Match` asks whether it is still there. Browsers may keep it for a year, shared caches for five minutes.',
    auth: 'none',
    rateLimits: ['public_read'],
    params: uploadParamsSchema,
    unknownParam: 'not_found',
    responses: {
      200: { description: 'The file.', files: UPLOAD_TYPES, isBinary: true },
      206: { description: 'The part that `Range` names.', files: UPLOAD_TYPES, isBinary: true },
    },
    errors: ['range_not_satisfiable'],
  },
} as const satisfies Record<string, Operation>;
