import type { Mail } from '@paywatch/runtime/mail';
import type { ClaimedMail } from '@paywatch/store/mails';
import type { MailLanguage } from '@paywatch/domain/contract';
import { MAIL_TEXTS, type MailText } from './texts/mail-texts.ts';

/** The parts of a mail that are decided when it is sent. `token` is null for a link to a page without one. */
export type MailParts = { language: MailLanguage; token: string | null; publicUrl: string };

/**
 * Composes a mail as plain text and simple HTML. The token is in the fragment of the link: browsers do not send it, so it is in
 * no access log, and a scanner that opens the link does not use it up.
 */
export function composeMail(
  mail: Pick<ClaimedMail, 'kind' | 'data' | 'recipient' | 'messageId'>,
  { language, token, publicUrl }: MailParts,
): Mail {
  const texts = MAIL_TEXTS[language];
  const content = texts[mail.kind](mail.data);
  const footer = texts.footer(new URL(publicUrl).host);
  const fragment = token === null ? '' : `#${token}`;
  const url = `${publicUrl}/account/${content.action.page}?lang=${language}${fragment}`;
  return {
    to: mail.recipient,
    subject: content.subject,
    text: plainText(content, url, footer),
    html: htmlText(content, url, footer, language),
    messageId: mail.messageId,
  };
}

function plainText({ paragraphs, action }: MailText, url: string, footer: string): string {
  return [...paragraphs, `${action.label}:\n${url}`, `-- \n${footer}`].join('\n\n');
}

/** Without images, styles and trackers. */
function htmlText(
  { subject, paragraphs, action }: MailText,
  url: string,
  footer: string,
  language: MailLanguage,
): string {
  const lines = [
    ...paragraphs.map(escapeHtml),
    `<a href="${escapeHtml(url)}">${escapeHtml(action.label)}</a>`,
    `<small>${escapeHtml(footer)}</small>`,
  ];
  const body = lines.map((line) => `<p>${line}</p>`).join('\n');
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head><body>\n${body}\n</body></html>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
