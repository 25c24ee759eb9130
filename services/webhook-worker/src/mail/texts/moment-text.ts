/** A moment as mails show it, the same in all languages: `2026-11-24 14:05 UTC`. */
export function momentText(iso = ''): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}
