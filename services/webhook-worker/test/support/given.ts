/** The value, which the test has just made sure of. */
export function given<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('nothing was found');
  return value;
}
