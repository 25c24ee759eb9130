import { ERROR_CODES } from '../error-codes.ts';
import type { OperationTag } from '../operations.ts';

/** What stands above the operations in the reference. */
export const INTRODUCTION = `Confirms payments in BTC and LTC without ever holding money: payers pay straight to addresses of your own wallet.
The API is in beta; donation pages and alerts are not affected by that.

**Amounts** are strings of minimal units (satoshi, litoshi). **Times** are RFC 3339 in UTC with milliseconds.
**Answers may gain fields**; requests with unknown fields are refused.

**Credentials**: \`X-Api-Key\` from your server, or the session token of the account area as \`Authorization: Bearer\`.

**Errors** are \`application/problem+json\` (RFC 9457). Decide by \`code\`, quote \`request_id\`.
Unknown paths answer 404 \`not_found\`, other methods 405 \`method_not_allowed\` with \`Allow\`.

| Status | Code | Meaning |
| --- | --- | --- |
${Object.entries(ERROR_CODES)
  .map(([code, { status, description }]) => `| ${status} | \`${code}\` | ${description} |`)
  .join('\n')}
`;

/** The sections of the reference, in the order in which they are shown. */
export const TAGS: readonly { readonly name: OperationTag; readonly description: string }[] = [
  { name: 'Invoices', description: 'Create invoices and read what became of them.' },
  { name: 'Payment links', description: 'Pages that sell without code.' },
  { name: 'Webhooks', description: 'The endpoint that outcomes are sent to.' },
  { name: 'Events', description: 'Every outcome that was sent or is to be sent, with each attempt.' },
  { name: 'Wallets', description: 'The wallets that payers pay to.' },
  { name: 'Statistics', description: 'What was accepted.' },
  { name: 'Account', description: 'Registration, sessions, the password.' },
  { name: 'Project', description: 'Name, public links and overlay.' },
  { name: 'API keys', description: 'Credentials for servers.' },
  { name: 'Public', description: 'What payers and donors see, without credentials.' },
  {
    name: 'Operator',
    description: 'For those who run the deployment, with a session of an operator’s account.',
  },
  { name: 'Streams', description: 'Server-sent events, without credentials.' },
];
