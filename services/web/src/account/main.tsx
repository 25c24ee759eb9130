import './account.css';
import { render } from 'preact';
import { chooseAccountLanguage } from './app/account-language.ts';
import { AccountApp } from './account-app.tsx';
import { loadAccountTexts } from './load-account-texts.ts';
import { pageRoot } from '../ui/page-data.ts';

const language = chooseAccountLanguage();
document.documentElement.lang = language;
const texts = await loadAccountTexts(language);
pageRoot().replaceChildren();
render(<AccountApp texts={texts} language={language} />, pageRoot());
