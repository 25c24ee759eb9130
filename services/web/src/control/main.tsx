import './control.css';
import { render } from 'preact';
import { pageLanguage, pageRoot } from '../ui/page-data.ts';
import { ControlApp } from './control-app.tsx';
import { loadControlTexts } from './load-control-texts.ts';

const language = pageLanguage();
const token = location.pathname.split('/').at(-1) ?? '';
const texts = await loadControlTexts(language);
pageRoot().replaceChildren();
render(<ControlApp token={token} language={language} texts={texts} />, pageRoot());
