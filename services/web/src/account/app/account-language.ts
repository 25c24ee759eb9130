import { languageOf, type Language } from '../../ui/language.ts';
import { pageLanguage } from '../../ui/page-data.ts';

const KEY = 'paywatch.language';

/** The language that was chosen here before, or by the address now; else what the server made of the browser's wishes. */
export function chooseAccountLanguage(): Language {
  const wanted = languageOf(new URLSearchParams(location.search).get('lang'));
  if (wanted !== null) localStorage.setItem(KEY, wanted);
  return wanted ?? languageOf(localStorage.getItem(KEY)) ?? pageLanguage();
}
