/** Local parts of which no mail program makes a link, or a reader a sentence. */
const PLAIN = /^(?!.*www\.)[a-z0-9._+-]+$/;

/** An email address as mails to others show it, masked unless its local part is plain: a stranger chose it. Pure. */
export function harmlessEmail(email: string): string {
  return PLAIN.test(email.slice(0, email.lastIndexOf('@'))) ? email : maskedEmail(email);
}

/** An email address masked so that its owner recognizes it and nobody else can write to it: `c…@example.com`. Pure. */
export function maskedEmail(email: string): string {
  return `${email.slice(0, 1)}…${email.slice(email.lastIndexOf('@'))}`;
}
