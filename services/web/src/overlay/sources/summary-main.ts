import './summary.css';
import { pageLanguage, pageRoot } from '../../ui/page-data.ts';
import { overlayToken } from '../overlay-token.ts';
import { showSummary } from './show-summary.ts';

showSummary(pageRoot(), overlayToken(), new URLSearchParams(location.search), pageLanguage());
