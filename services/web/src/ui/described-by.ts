/** Ties a field to the line below it, `<id>-note`, and marks it where that line says what is wrong. */
export function describedBy(id: string, error: string | undefined) {
  return { 'aria-describedby': `${id}-note`, 'aria-invalid': error !== undefined };
}
