/** Returns the value; throws when it is null or undefined. */
export function given<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('the value is missing');
  return value;
}
