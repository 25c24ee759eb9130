import { z } from 'zod';
import {
  OVERLAY_DURATION_SECONDS,
  OVERLAY_POSITIONS,
  OVERLAY_TEMPLATES,
  OVERLAY_THEMES,
  type OverlaySettings,
} from '../overlay-options.ts';

/** Zero included: it shows every donation. */
const minimumSchema = z.string().regex(/^(0|[1-9][0-9]{0,15})$/, {
  error: 'Must be a whole number of minimal units, at most 16 digits, such as "10000".',
});
const SMALLER = 'Smaller donations are not shown; test donations always are.';

const { min, max } = OVERLAY_DURATION_SECONDS;
const shape = {
  template: z.enum(OVERLAY_TEMPLATES).meta({ description: 'The design of an alert.' }),
  theme: z.enum(OVERLAY_THEMES),
  position: z.enum(OVERLAY_POSITIONS).meta({ description: 'Where alerts appear.' }),
  duration_seconds: z.int().min(min).max(max).meta({ description: 'How long an alert is shown.' }),
  volume: z.int().min(0).max(100).meta({ description: 'Volume of the sound in percent; 0 is silent.' }),
  min_amount_btc: minimumSchema.meta({ description: `${SMALLER} Satoshi.`, example: '10000' }),
  min_amount_ltc: minimumSchema.meta({ description: `${SMALLER} Litoshi.`, example: '1000000' }),
  show_message: z.boolean().meta({ description: 'Whether the message of the donor is shown.' }),
};

/** GET /v1/overlay/settings; `data:` of `event: settings`. */
export const overlaySettingsSchema = z
  .object(shape)
  .meta({ id: 'OverlaySettings' }) satisfies z.ZodType<OverlaySettings>;

/** PATCH /v1/overlay/settings: what is left out stays as it is. */
export const updateOverlaySettingsBodySchema = z
  .strictObject(shape)
  .partial()
  .meta({ id: 'UpdateOverlaySettings' });
export type UpdateOverlaySettingsBody = z.output<typeof updateOverlaySettingsBodySchema>;
