import './pos.css';
import type { PublicPaymentLink } from '@paywatch/domain/contract';
import { hydrate } from 'preact';
import { Frame } from '../ui/frame.tsx';
import { pageLanguage, pageRoot } from '../ui/page-data.ts';
import { pageData } from '../ui/rendered-data.ts';
import { loadPosTexts } from './load-pos-texts.ts';
import { PosApp } from './pos-app.tsx';

const language = pageLanguage();
const token = location.pathname.split('/').at(-1) ?? '';
const texts = await loadPosTexts(language);
// The server rendered this data into the page, so it is not validated.
const served = pageData((json) => JSON.parse(json) as { link: PublicPaymentLink });
if (served !== null)
  hydrate(
    <Frame language={language}>
      <PosApp token={token} link={served.data.link} language={language} texts={texts} />
    </Frame>,
    pageRoot(),
  );
