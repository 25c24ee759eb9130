import { languageOf, type Language } from '../../ui/language.ts';
import { pageLanguage } from '../../ui/page-data.ts';

const KEY = 'paywatch.language';

/** Chooses the language: `?lang=` first (and stores it), then the stored one, then the server's choice. */
export function chooseAccountLanguage(): Language {
  const wanted = languageOf(new URLSearchParams(location.search).get('lang'));
  if (wanted !== null) localStorage.setItem(KEY, wanted);
  return wanted ?? languageOf(localStorage.getItem(KEY)) ?? pageLanguage();
}
