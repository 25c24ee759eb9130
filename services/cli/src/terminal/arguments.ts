import { CURRENCIES, type Currency } from '@paywatch/domain/values';
import { eventIdSchema, loginBodySchema, projectIdSchema, publicIdSchema } from '@paywatch/domain/contract';
import { Argument, InvalidArgumentError, Option } from 'commander';

/** `<email>`: the email of an account, case-insensitive. */
export function emailArgument(): Argument {
  return new Argument('<email>', 'email of the account').argParser(parseEmail);
}

/** Parses an email address. */
export function parseEmail(text: string): string {
  const parsed = loginBodySchema.shape.email.safeParse(text);
  if (!parsed.success || !parsed.data.includes('@'))
    throw new InvalidArgumentError('Expected an email address.');
  return parsed.data;
}

/** `--project <id>`: one of the further projects of an account. */
export function projectOption(): Option {
  return new Option('--project <id>', 'a further project of the account instead of its first one').argParser(
    parseProjectId,
  );
}

function parseProjectId(text: string): string {
  if (!projectIdSchema.safeParse(text).success)
    throw new InvalidArgumentError('Expected prj_ and 32 hexadecimal digits.');
  return text;
}

/** Parses a domain name such as pay.example, without scheme, port or path. */
export function parseDomain(text: string): string {
  const name = text.toLowerCase();
  const isDomain =
    name.length <= 253 && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(name);
  if (!isDomain) throw new InvalidArgumentError('Expected a domain name such as pay.example.');
  return name;
}

/** `<currency>`: BTC or LTC, case-insensitive. */
export function currencyArgument(): Argument {
  return new Argument('<currency>', 'BTC or LTC').argParser(parseCurrency);
}

/** Parses BTC or LTC, case-insensitive. */
export function parseCurrency(text: string): Currency {
  const currency = CURRENCIES.find((each) => each === text.toUpperCase());
  if (currency === undefined) throw new InvalidArgumentError('Expected BTC or LTC.');
  return currency;
}

/** `<public_id>`: an invoice. */
export function invoiceArgument(): Argument {
  return new Argument('<public_id>', 'invoice, for example inv_8yXq3mJ2NdPz5KcVh7RtWb').argParser(
    (text): string => {
      const parsed = publicIdSchema.safeParse(text);
      if (!parsed.success)
        throw new InvalidArgumentError('Expected an invoice id such as inv_8yXq3mJ2NdPz5KcVh7RtWb.');
      return parsed.data;
    },
  );
}

/** `<event_id>`: an event. */
export function eventArgument(): Argument {
  return new Argument('<event_id>', 'event, for example evt_8yXq3mJ2NdPz5KcVh7RtWb').argParser(parseEventId);
}

/** Parses the id of an event. */
export function parseEventId(text: string): string {
  const parsed = eventIdSchema.safeParse(text);
  if (!parsed.success)
    throw new InvalidArgumentError('Expected an event id such as evt_8yXq3mJ2NdPz5KcVh7RtWb.');
  return parsed.data;
}

/** Returns a parser for whole numbers from `min` to `max`, inclusive. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max))
      throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
    return value;
  };
}

const DAY_MS = 86_400_000;

/** Parses an RFC 3339 time, or a day, which means its end in UTC: a subscription until the 31st includes the 31st. */
export function parseUntil(text: string): Date {
  const { moment, isDay } = parseMoment(text);
  return isDay ? new Date(moment.getTime() + DAY_MS) : moment;
}

/** Parses an RFC 3339 time, or a day, which means its start in UTC. */
export function parseSince(text: string): Date {
  return parseMoment(text).moment;
}

function parseMoment(text: string): { moment: Date; isDay: boolean } {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.test(text);
  const moment = new Date(text);
  const isReal = (isDay || isMoment) && !Number.isNaN(moment.getTime());
  // `Date` parses February 31 as March 3.
  if (!isReal || (isDay && !moment.toISOString().startsWith(text)))
    throw new InvalidArgumentError(
      'Expected a day such as 2027-01-31 or a time such as 2027-01-31T12:00:00Z.',
    );
  return { moment, isDay };
}
