/** The texts of the modal. Both languages are part of the script: a file for each would cost a second request. */
const en = { title: 'Payment', open: 'Open in a new tab', close: 'Close' };
const de: typeof en = { title: 'Zahlung', open: 'In neuem Tab öffnen', close: 'Schließen' };

/** The texts in the language that the framed page will choose. Pure. */
export function embedTexts(url: URL, browserLanguage: string): typeof en {
  return (url.searchParams.get('lang') ?? browserLanguage).startsWith('de') ? de : en;
}
