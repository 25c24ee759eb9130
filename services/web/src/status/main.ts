// The page has no script; this entry builds its style sheet.
import './status.css';
