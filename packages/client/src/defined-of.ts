/** Removes undefined values, which would override defaults when spread and be sent as the text "undefined". Pure. */
export function definedOf<Value>(given: Readonly<Record<string, Value>>): Record<string, NonNullable<Value>>;
export function definedOf<Given extends object>(
  given: Given,
): { [Name in keyof Given]?: NonNullable<Given[Name]> };
export function definedOf(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
