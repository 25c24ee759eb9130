import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { waitUntil } from '../testing/wait-until.ts';
import type { ServerCertificate } from './certificates.ts';
import { freePort } from './free-port.ts';

/** A mail that the server accepted. */
export type ReceivedMail = {
  messageId: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The first link of the text. */
  link: string | null;
  headers: ReadonlyMap<string, string>;
  /** Whether the connection was encrypted. */
  isEncrypted: boolean;
};

/** A scripted refusal of a recipient. */
type Refusal = { status: number; message: string };

/** A real SMTP server that keeps every mail, and a page that shows them. */
export type MailServer = {
  /** For MAIL_URL. */
  url: string;
  /** Shows the mails, the newest first. */
  pageUrl: string;
  mails: readonly ReceivedMail[];
  /** Refuses the recipients of the next mails in this order. */
  refuse(...refusals: Refusal[]): void;
  /** Accepts the next mails and drops the connection before it confirms them. */
  hangUpAfter(count: number): void;
  /** Resolves to the first matching mail, received or future. */
  waitFor(matches: (mail: ReceivedMail) => boolean): Promise<ReceivedMail>;
  /** Calls `listener` for every mail. Returns the function that unsubscribes it. */
  subscribe(listener: (mail: ReceivedMail) => void): () => void;
  /** Safe to call twice. */
  stop(): Promise<void>;
};

export type MailServerOptions = {
  /** With a certificate the server offers STARTTLS, and requires it before a login. */
  certificate?: ServerCertificate;
  login?: { user: string; password: string };
  /** The preferred port of the page. */
  pagePort?: number;
};

/** Describes a mail in one line, with its link. */
export function describeMail({ to, subject, link }: ReceivedMail): string {
  return `mail to ${to}: ${subject}${link === null ? '' : ` → ${link}`}`;
}

type State = {
  mails: ReceivedMail[];
  refusals: Refusal[];
  hangUps: number;
  arrivals: EventEmitter<{ mail: [ReceivedMail] }>;
};

/** Starts it on free ports of 127.0.0.1. */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const state: State = { mails: [], refusals: [], hangUps: 0, arrivals: new EventEmitter() };
  state.arrivals.setMaxListeners(0);
  const smtp = createSmtpServer(state, options);
  const page = createServer((request, response) => showMails(state, request, response));
  const [port, pagePort] = [await freePort(), await freePort(options.pagePort)];
  smtp.listen(port, '127.0.0.1');
  page.listen(pagePort, '127.0.0.1');
  await Promise.all([once(smtp.server, 'listening'), once(page, 'listening')]);
  let stopped: Promise<void> | undefined;
  return {
    url: `smtp://${credentials(options)}localhost:${port}`,
    pageUrl: `http://127.0.0.1:${pagePort}`,
    mails: state.mails,
    refuse: (...refusals) => void state.refusals.push(...refusals),
    hangUpAfter: (count) => void (state.hangUps = count),
    waitFor: (matches) => waitUntil(() => state.mails.find(matches), { what: 'a mail', everyMs: 20 }),
    subscribe: (listener) => {
      state.arrivals.on('mail', listener);
      return () => void state.arrivals.off('mail', listener);
    },
    stop: () => (stopped ??= stop(smtp, page)),
  };
}

function credentials({ login }: MailServerOptions): string {
  return login === undefined ? '' : `${login.user}:${encodeURIComponent(login.password)}@`;
}

function createSmtpServer(state: State, { certificate, login }: MailServerOptions): SMTPServer {
  return new SMTPServer({
    ...(certificate === undefined
      ? { disabledCommands: ['STARTTLS'] }
      : { cert: certificate.certificate, key: certificate.privateKey }),
    authOptional: login === undefined,
    onAuth: ({ username, password }, _session, done) => {
      const isRight = username === login?.user && password === login?.password;
      done(isRight ? null : new Error('wrong credentials'), { user: username ?? '' });
    },
    onRcptTo: (_address, _session, done) => {
      const refusal = state.refusals.shift();
      if (refusal === undefined) return done();
      done(Object.assign(new Error(refusal.message), { responseCode: refusal.status }));
    },
    onData: (stream, session, done) => void answer(state, { stream, session }, done),
    logger: false,
  });
}

async function answer(
  state: State,
  { stream, session }: { stream: Readable; session: SMTPServerSession },
  respond: (error?: Error) => void,
): Promise<void> {
  try {
    await receive(state, stream, session);
  } catch (error) {
    return respond(error instanceof Error ? error : new Error(String(error)));
  }
  respond();
}

async function receive(state: State, stream: Readable, session: SMTPServerSession): Promise<void> {
  const mail = await parseMail(await buffer(stream), session.secure);
  state.mails.push(mail);
  state.arrivals.emit('mail', mail);
  if (state.hangUps === 0) return;
  state.hangUps -= 1;
  throw Object.assign(new Error('try again'), { responseCode: 451 });
}

async function parseMail(raw: Buffer, isEncrypted: boolean): Promise<ReceivedMail> {
  const mail = await PostalMime.parse(raw);
  const text = mail.text ?? '';
  return {
    messageId: mail.messageId ?? '',
    from: mail.from?.address ?? '',
    to: mail.to?.[0]?.address ?? '',
    subject: mail.subject ?? '',
    text,
    html: mail.html ?? '',
    link: /https?:\/\/\S+/.exec(text)?.[0] ?? null,
    headers: new Map(mail.headers.map(({ key, value }) => [key, value])),
    isEncrypted,
  };
}

/** Links open in the same browser; other sites learn nothing of them. */
function showMails(state: State, _request: IncomingMessage, response: ServerResponse): void {
  const shown = state.mails
    .toReversed()
    .map(
      ({ to, subject, text }) =>
        `<article><h2>${escapeHtml(subject)}</h2><p>To ${escapeHtml(to)}</p><pre>${withLinks(text)}</pre></article>`,
    );
  const body = shown.length === 0 ? '<p>No mails yet. Reload to look again.</p>' : shown.join('\n');
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  });
  response.end(`<!doctype html><html lang="en"><head><title>Mails</title>
<style>body{font:16px system-ui;max-width:48rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap}</style>
</head><body><h1>Mails</h1>${body}</body></html>`);
}

function withLinks(text: string): string {
  return escapeHtml(text).replaceAll(/https?:\/\/[^\s]+/g, (url) => `<a href="${url}">${url}</a>`);
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

async function stop(smtp: SMTPServer, page: ReturnType<typeof createServer>): Promise<void> {
  const closed = [once(smtp.server, 'close'), once(page, 'close')];
  smtp.close();
  page.close();
  page.closeAllConnections();
  await Promise.all(closed);
}
