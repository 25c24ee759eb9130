/** ARIA attributes that link a field to its note `<id>-note` and mark it as invalid where there is an error. */
export function describedBy(id: string, error: string | undefined) {
  return { 'aria-describedby': `${id}-note`, 'aria-invalid': error !== undefined };
}
