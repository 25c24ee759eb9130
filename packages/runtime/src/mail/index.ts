export { type MailSettings, mailVariables, parseMailSettings } from './mail-settings.ts';
export { type Mail, type MailTransport, MailError, createMailTransport } from './mail-transport.ts';
