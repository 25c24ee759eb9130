import './overlay.css';
import { pageLanguage, pageRoot } from '../ui/page-data.ts';
import { showAlerts } from './alerts/show-alerts.ts';
import { overlayToken } from './overlay-token.ts';
import { OVERLAY_TEXTS } from './overlay-texts.ts';

showAlerts(pageRoot(), overlayToken(), new URLSearchParams(location.search), OVERLAY_TEXTS[pageLanguage()]);
