import { z } from 'zod';
import { UPLOAD_LIMITS } from '../../limits.ts';
import { timestampSchema, uploadIdSchema } from '../../fields/primitives.ts';
import { shownText } from '../../fields/text.ts';

/** What an upload is used as. */
export const uploadKindSchema = z.enum(['image', 'sound', 'logo']).meta({
  id: 'UploadKind',
  description: 'A `logo` is stored as a still WebP picture of at most 512 by 512 pixels, whatever was sent.',
});
export type UploadKind = z.infer<typeof uploadKindSchema>;

/** The formats that are accepted. An upload is always served as one of these. */
export const UPLOAD_TYPES = [
  'image/gif',
  'image/webp',
  'image/png',
  'image/jpeg',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
] as const;
export type UploadType = (typeof UPLOAD_TYPES)[number];

/** POST /v1/uploads */
export const createUploadQuerySchema = z.strictObject({
  kind: uploadKindSchema,
  name: shownText(UPLOAD_LIMITS.fileName)
    .optional()
    .meta({
      ...UPLOAD_LIMITS.fileName,
      description: 'A name for lists, such as that of the file.',
    }),
});

/** Where the file of an upload is served. */
export const UPLOAD_PATH = '/v1/public/uploads/{uploadId}';

/** The path of the file of an upload. Pure. */
export function uploadPath(id: string): string {
  return UPLOAD_PATH.replace('{uploadId}', id);
}

/** Path of the operations of one upload. */
export const uploadParamsSchema = z.object({ uploadId: uploadIdSchema });

const sideSchema = z.int().nullable();

/** An upload, as its owner sees it. */
export const uploadViewSchema = z
  .object({
    id: uploadIdSchema,
    kind: uploadKindSchema,
    name: z.string(),
    type: z.enum(UPLOAD_TYPES).meta({ description: 'The media type, judged by the content.' }),
    bytes: z.int(),
    width: sideSchema.meta({ description: 'Pixels; null for sounds.' }),
    height: sideSchema.meta({ description: 'Pixels; null for sounds.' }),
    duration_ms: z.int().nullable().meta({ description: 'Length of a sound; null for images.' }),
    url: z.string().meta({ description: 'Everyone who knows it may load the file.' }),
    created_at: timestampSchema,
  })
  .meta({ id: 'Upload' });
export type UploadView = z.infer<typeof uploadViewSchema>;

/** GET /v1/uploads: a project has few, so there are no pages. */
export const uploadListSchema = z.object({ data: z.array(uploadViewSchema) }).meta({ id: 'UploadList' });
export type UploadList = z.infer<typeof uploadListSchema>;
