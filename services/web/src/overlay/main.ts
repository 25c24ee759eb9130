import '../design/overlay.css';
import { pageLanguage, pageRoot } from '../ui/page-data.ts';
import { OVERLAY_TEXTS } from './overlay-texts.ts';
import { showAlerts } from './alerts/show-alerts.ts';
import { showLatest } from './sources/show-latest.ts';

const token = location.pathname.split('/').at(-1) ?? '';
const query = new URLSearchParams(location.search);
const isLatest = ['latest', 'ticker'].includes(query.get('source') ?? '');
const show = isLatest ? showLatest : showAlerts;
show(pageRoot(), token, query, OVERLAY_TEXTS[pageLanguage()]);
