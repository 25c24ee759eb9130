/** The filters of the invoice list, named as in the URL. */
const FILTERS = ['search', 'status', 'type', 'currency', 'order_id', 'from', 'to', 'reversed'] as const;
export type InvoiceFilters = Readonly<Record<(typeof FILTERS)[number], string>>;

/** Reads the filters from the URL query; missing ones are empty. */
export function readFilters(query: URLSearchParams): InvoiceFilters {
  const filled = FILTERS.map((name) => [name, query.get(name) ?? ''] as const);
  return Object.fromEntries(filled) as InvoiceFilters;
}

/** The path of the invoice list with these filters. */
export function filtersPath(filters: InvoiceFilters): string {
  const filled = Object.entries(filters).filter(([, value]) => value !== '');
  const query = new URLSearchParams(filled).toString();
  return query === '' ? '/account/invoices' : `/account/invoices?${query}`;
}

/** The API query for the filters. Days of the reader's time zone become timestamps; the last day is included. */
export function filtersQuery({ from, to, ...same }: InvoiceFilters): Record<string, string> {
  return { ...same, created_from: startOfDay(from, 0), created_to: startOfDay(to, 1) };
}

/** The start of a day such as `2026-11-20` in the reader's time zone, `plusDays` later; empty for an empty day. Pure. */
export function startOfDay(day: string, plusDays: number): string {
  const [year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)?.slice(1).map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined) return '';
  return new Date(year, month - 1, date + plusDays).toISOString();
}
