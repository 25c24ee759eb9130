/** What is wrong with an input, in words for the person who typed it. Never contains the input itself. */
export interface InputProblem<Code extends string = string> {
  readonly code: Code;
  readonly message: string;
}

/** The result of parsing untrusted input: the parsed value, or the problem that stopped the parse. */
export type Checked<Value, Code extends string = string> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: InputProblem<Code> };

/** Wraps a parsed value as the successful outcome. */
export function accept<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

/** Wraps a code and a message, which must not quote the input, as the failed outcome. */
export function refuse<Code extends string>(
  code: Code,
  message: string,
): { readonly ok: false; readonly problem: InputProblem<Code> } {
  return { ok: false, problem: { code, message } };
}
