import { z } from 'zod';
import { formatFiat, isFiatCurrency, parseFiat } from '../../fields/fiat.ts';
import { SETTING_LIMITS } from '../../limits.ts';
import { amountSchema } from '../../fields/primitives.ts';
import { shownText } from '../../fields/text.ts';

const COIN_PATTERN = /^(0|[1-9][0-9]{0,7})(?:\.([0-9]{1,8}))?$/;

/** What a goal is counted in: a coin, or a currency of prices (ISO 4217). */
export const goalUnitSchema = z
  .string()
  .refine((unit) => isCoin(unit) || isFiatCurrency(unit), {
    error: 'Must be BTC, LTC or an ISO 4217 code such as EUR.',
  })
  .meta({ description: 'BTC, LTC, or a currency for which there are exchange rates.', example: 'EUR' });

/** Parses a decimal of a unit into its smallest parts (satoshi, cents); null if it has too many decimals. Pure. */
export function parseUnit(text: string, unit: string): bigint | null {
  if (!isCoin(unit)) return parseFiat(text, unit);
  const [, whole = '', fraction = ''] = COIN_PATTERN.exec(text) ?? [];
  return whole === '' ? null : BigInt(whole + fraction.padEnd(COIN_DECIMALS, '0'));
}

/** Writes the smallest parts of a unit as a decimal with all of its decimals. Pure. */
export function formatUnit(parts: bigint, unit: string): string {
  if (!isCoin(unit)) return formatFiat(parts, unit);
  const digits = parts.toString().padStart(COIN_DECIMALS + 1, '0');
  return `${digits.slice(0, -COIN_DECIMALS)}.${digits.slice(-COIN_DECIMALS)}`;
}

const COIN_DECIMALS = 8;

function isCoin(unit: string): boolean {
  return unit === 'BTC' || unit === 'LTC';
}

const decimalSchema = z.string().regex(/^(0|[1-9][0-9]{0,11})(\.[0-9]{1,8})?$/, {
  error: 'Must be a decimal number such as "250" or "0.05".',
});

/** Years in which donations can have been confirmed, and that every database knows. */
const daySchema = z.iso
  .date()
  .refine((day) => day >= '2009-01-03' && day < '2100-01-01', { error: 'Must be a day since 2009.' })
  .nullable();
const SINCE = 'Donations of this UTC day and later count; null for all.';

const titleSchema = shownText(SETTING_LIMITS.goalTitle);

/** What a goal bar shows, as its owner has set it. */
export const overlayGoalSchema = z
  .strictObject({
    title: titleSchema.meta({ ...SETTING_LIMITS.goalTitle, example: 'New camera' }),
    unit: goalUnitSchema,
    target: decimalSchema.meta({ description: 'In the unit, above zero.', example: '500' }),
    since: daySchema.meta({ description: SINCE, example: '2026-11-01' }),
    added: decimalSchema.meta({ description: 'What came by other ways, in the unit.', example: '0' }),
  })
  .superRefine(({ unit, target, added }, context) => {
    if (!goalUnitSchema.safeParse(unit).success) return;
    const parsed = { target: parseUnit(target, unit), added: parseUnit(added, unit) };
    if (parsed.target === null || parsed.target === 0n)
      context.addIssue({ code: 'custom', path: ['target'], message: ABOVE_ZERO });
    if (parsed.added === null) context.addIssue({ code: 'custom', path: ['added'], message: DECIMALS });
  })
  .meta({ id: 'OverlayGoal' });
export type OverlayGoal = z.infer<typeof overlayGoalSchema>;

const DECIMALS = 'Must have at most the decimals of its unit.';
const ABOVE_ZERO = `Must be above zero. ${DECIMALS}`;

const shape = {
  goal: overlayGoalSchema.nullable().meta({ description: 'Null: there is no goal.' }),
  counter_since: daySchema.meta({ description: `Of the counter. ${SINCE}`, example: '2026-11-01' }),
};

/** GET /v1/overlay/sources */
export const overlaySourcesSchema = z.object(shape).meta({ id: 'OverlaySources' });
export type OverlaySources = z.infer<typeof overlaySourcesSchema>;

/** PATCH /v1/overlay/sources: what is left out stays as it is; a goal is replaced as a whole. */
export const updateOverlaySourcesBodySchema = z
  .strictObject(shape)
  .partial()
  .meta({ id: 'UpdateOverlaySources' });
export type UpdateOverlaySourcesBody = z.output<typeof updateOverlaySourcesBodySchema>;

/** The sources of a project that has set none. */
export const DEFAULT_OVERLAY_SOURCES: Readonly<OverlaySources> = { goal: null, counter_since: null };

const sumsSchema = z
  .object({ btc: amountSchema, ltc: amountSchema })
  .meta({ description: 'Sums in minimal units.' });

/** How far a goal is reached. */
export const goalProgressSchema = z
  .object({
    title: z.string(),
    unit: z.string(),
    target: z.string(),
    reached: z
      .string()
      .nullable()
      .meta({ description: 'In the unit; null while a rate that is needed is unknown.' }),
  })
  .meta({ id: 'GoalProgress' });
export type GoalProgress = z.infer<typeof goalProgressSchema>;

const topDonorSchema = sumsSchema.extend({ donor_name: z.string() }).meta({ id: 'TopDonor' });
export type TopDonor = z.infer<typeof topDonorSchema>;
const topDonorsSchema = z.array(topDonorSchema).max(10);

/** `data:` of `event: summary`: sums of the donations that overlays got. Tests and held donations are not counted. */
export const overlaySummarySchema = z
  .object({
    goal: goalProgressSchema.nullable(),
    counter: sumsSchema.extend({ donations: z.int(), since: z.string().nullable() }),
    top: z
      .object({ day: topDonorsSchema, week: topDonorsSchema, month: topDonorsSchema, all: topDonorsSchema })
      .meta({
        description: 'By period in UTC; weeks begin on Monday. Largest first, anonymous ones left out.',
      }),
  })
  .meta({ id: 'OverlaySummary' });
export type OverlaySummary = z.infer<typeof overlaySummarySchema>;
