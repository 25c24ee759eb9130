/** An email address that says enough to recognise it and too little to write to it: `c…@example.com`. Pure. */
export function maskedEmail(email: string): string {
  return `${email.slice(0, 1)}…${email.slice(email.lastIndexOf('@'))}`;
}
