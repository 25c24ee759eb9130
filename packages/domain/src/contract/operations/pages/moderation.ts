import {
  controlOverlayBodySchema,
  controlParamsSchema,
  controlStateSchema,
  controlViewSchema,
  decideHeldDonationBodySchema,
  heldDecisionSchema,
} from '../../resources/donations/control.ts';
import { moderationSchema, updateModerationBodySchema } from '../../resources/donations/moderation.ts';
import { streamHeadersSchema } from '../../resources/streams.ts';
import type { Operation } from '../operation.ts';

/** Which donations are held, and what the control page of moderators calls with its token alone. */
export const moderationOperations = {
  getModeration: {
    method: 'get',
    path: '/v1/overlay/moderation',
    tag: 'Project',
    summary: 'Read the moderation settings',
    auth: 'bearer',
    role: 'manager',
    rateLimits: ['account'],
    responses: { 200: { description: 'The settings and the control page.', schema: moderationSchema } },
    errors: [],
  },
  updateModeration: {
    method: 'patch',
    path: '/v1/overlay/moderation',
    tag: 'Project',
    summary: 'Change the moderation settings',
    description:
      'What is left out stays as it is. The change applies to donations that are confirmed from now on; those that are held wait for their decision.',
    auth: 'bearer',
    role: 'manager',
    rateLimits: ['account', 'project_change'],
    body: updateModerationBodySchema,
    responses: { 200: { description: 'The settings as they are now.', schema: moderationSchema } },
    errors: [],
  },
  streamControl: {
    method: 'get',
    path: '/v1/public/control/{token}/events',
    tag: 'Streams',
    summary: 'Follow what moderators see',
    description:
      'Sends `event: control` on connect and after every change: held donations, the last donations that overlays got, and what moderators have set. With the Last-Event-ID of the newest message nothing is repeated.',
    auth: 'none',
    rateLimits: ['public_read', 'stream'],
    params: controlParamsSchema,
    unknownParam: 'not_found',
    headers: streamHeadersSchema,
    responses: { 200: { description: 'The stream.' } },
    stream: { event: 'control', data: controlViewSchema },
    errors: [],
  },
  controlOverlay: {
    method: 'post',
    path: '/v1/public/control/{token}',
    tag: 'Public',
    summary: 'Control the alerts of an overlay',
    description:
      'Open overlays follow within a second. A pause lasts until it is resumed. At most five alerts can be replayed at a time.',
    auth: 'none',
    rateLimits: ['public_read'],
    params: controlParamsSchema,
    unknownParam: 'not_found',
    body: controlOverlayBodySchema,
    responses: { 200: { description: 'What is set now.', schema: controlStateSchema } },
    errors: [],
  },
  decideHeldDonation: {
    method: 'post',
    path: '/v1/public/control/{token}/decisions',
    tag: 'Public',
    summary: 'Decide about a held donation',
    description:
      'The first decision stands; later ones answer with it. An approved donation gets its place in the overlay stream now, so clients that resume miss none.',
    auth: 'none',
    rateLimits: ['public_read'],
    params: controlParamsSchema,
    unknownParam: 'not_found',
    body: decideHeldDonationBodySchema,
    responses: { 200: { description: 'The decision that stands.', schema: heldDecisionSchema } },
    errors: [],
  },
} as const satisfies Record<string, Operation>;
