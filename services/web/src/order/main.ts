// The server renders these parts of pages; this entry builds their style sheet.
import './order.css';
