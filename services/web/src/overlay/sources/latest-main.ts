import './latest.css';
import { pageLanguage, pageRoot } from '../../ui/page-data.ts';
import { overlayToken } from '../overlay-token.ts';
import { showLatest } from './show-latest.ts';
import { SOURCE_TEXTS } from './source-texts.ts';

showLatest(pageRoot(), overlayToken(), new URLSearchParams(location.search), SOURCE_TEXTS[pageLanguage()]);
