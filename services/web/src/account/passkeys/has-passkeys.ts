/** Whether this page can use passkeys: browsers have none for IP addresses, nor without https outside localhost. */
export function hasPasskeys(): boolean {
  const isAddress = /^[\d.]+$|^\[/.test(location.hostname);
  return !isAddress && 'PublicKeyCredential' in globalThis;
}
