/** The capability in the address of every browser source. */
export function overlayToken(): string {
  return location.pathname.split('/').at(-1) ?? '';
}
