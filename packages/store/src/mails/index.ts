export { type MailData, type MailKind } from './mail-kinds.ts';
export { MAX_INVITATIONS, MAX_MAILS, queueMail } from './queue-mail.ts';
export {
  type ClaimedMail,
  type DueMail,
  type MailOutcome,
  claimMail,
  leaseDueMails,
  listenForMails,
  measureMailLag,
  recordMailOutcome,
} from './send-mails.ts';
export { prepareMail } from './prepare-mail.ts';
export { queuePeriodicNotices } from './periodic-notices.ts';
