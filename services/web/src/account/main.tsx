import '../design/account.css';
import { render } from 'preact';
import { chooseAccountLanguage } from './account-language.ts';
import { AccountApp } from './account-app.tsx';
import { pageRoot } from '../ui/page-data.ts';

const language = chooseAccountLanguage();
document.documentElement.lang = language;
// Only the language that is read is fetched: the texts are a third of the area.
const texts =
  language === 'de'
    ? (await import('../texts/account-de.ts')).accountDe
    : (await import('../texts/account-en.ts')).accountEn;
pageRoot().replaceChildren();
render(<AccountApp texts={texts} language={language} />, pageRoot());
