import { CURRENCIES, type Currency } from '@paywatch/domain/values';
import { eventIdSchema, loginBodySchema, publicIdSchema } from '@paywatch/domain/contract';
import { Argument, InvalidArgumentError } from 'commander';

/** `<email>`: an account by its email, in any case. */
export function emailArgument(): Argument {
  return new Argument('<email>', 'email of the account').argParser((text): string => {
    const parsed = loginBodySchema.shape.email.safeParse(text);
    if (!parsed.success || !parsed.data.includes('@'))
      throw new InvalidArgumentError('It must be an email address.');
    return parsed.data;
  });
}

/** `<currency>`: BTC or LTC, in any case. */
export function currencyArgument(): Argument {
  return new Argument('<currency>', 'BTC or LTC').argParser(parseCurrency);
}

/** Parses BTC or LTC, in any case. */
export function parseCurrency(text: string): Currency {
  const currency = CURRENCIES.find((each) => each === text.toUpperCase());
  if (currency === undefined) throw new InvalidArgumentError('It must be BTC or LTC.');
  return currency;
}

/** `<public_id>`: an invoice. */
export function invoiceArgument(): Argument {
  return new Argument('<public_id>', 'invoice, as in inv_8yXq3mJ2NdPz5KcVh7RtWb').argParser(
    (text): string => {
      const parsed = publicIdSchema.safeParse(text);
      if (!parsed.success) throw new InvalidArgumentError('It must look like inv_8yXq3mJ2NdPz5KcVh7RtWb.');
      return parsed.data;
    },
  );
}

/** `<event_id>`: an event. */
export function eventArgument(): Argument {
  return new Argument('<event_id>', 'event, as in evt_8yXq3mJ2NdPz5KcVh7RtWb').argParser(parseEventId);
}

/** Parses the id of an event. */
export function parseEventId(text: string): string {
  const parsed = eventIdSchema.safeParse(text);
  if (!parsed.success) throw new InvalidArgumentError('It must look like evt_8yXq3mJ2NdPz5KcVh7RtWb.');
  return parsed.data;
}

/** A parser of options that are whole numbers in a range, both ends included. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max))
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return value;
  };
}

const DAY_MS = 86_400_000;

/**
 * Parses a moment of RFC 3339, or a day, which stands for its end in UTC: what is paid until the 31st works on the 31st.
 */
export function parseUntil(text: string): Date {
  const { moment, isDay } = parseMoment(text);
  return isDay ? new Date(moment.getTime() + DAY_MS) : moment;
}

/** Parses a moment of RFC 3339, or a day, which stands for its beginning in UTC. */
export function parseSince(text: string): Date {
  return parseMoment(text).moment;
}

function parseMoment(text: string): { moment: Date; isDay: boolean } {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.test(text);
  const moment = new Date(text);
  const isReal = (isDay || isMoment) && !Number.isNaN(moment.getTime());
  // The parser takes the 31st of February for the 3rd of March.
  if (!isReal || (isDay && !moment.toISOString().startsWith(text)))
    throw new InvalidArgumentError(
      'It must be a day such as 2027-01-31, or a moment such as 2027-01-31T12:00:00Z.',
    );
  return { moment, isDay };
}
