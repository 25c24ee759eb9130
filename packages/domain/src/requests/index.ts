export { AppError, problemBody } from './app-error.ts';
export { CLIENT_WINDOW_MS, type ClientWindow, addRequest, judgeClients } from './client-spread.ts';
export { parseBody, parseHeaders, parseParams, parseQuery } from './parse-request.ts';
