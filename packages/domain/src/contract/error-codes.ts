/** What one error code means: its HTTP status, a short title and one sentence for the reference. */
export interface ErrorCodeEntry {
  readonly status: number;
  readonly title: string;
  readonly description: string;
  /** True where only requests that the client leaves to the pages get it: the client has no class for it. */
  readonly pagesOnly?: true;
}

/**
 * Every error code that the API returns. Codes are part of the contract: they are added, never renamed.
 * `description` is also the default `detail` of a response, so it must be true wherever the code is used.
 */
export const ERROR_CODES = {
  malformed_json: {
    status: 400,
    title: 'Malformed JSON',
    description: 'The request body is not valid JSON.',
  },
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    description: 'The credentials are missing, unknown, expired or revoked.',
  },
  invalid_credentials: {
    status: 401,
    title: 'Invalid credentials',
    description: 'The email or the password is wrong.',
  },
  second_factor_required: {
    status: 401,
    title: 'Second factor required',
    description:
      'The password is right, and the account needs a second factor: send the challenge in `second_factor` with a code or a passkey to POST /v1/auth/login/verify.',
  },
  invalid_code: {
    status: 401,
    title: 'Invalid code',
    description: 'The code is wrong, has expired or was used already.',
  },
  invalid_passkey: {
    status: 401,
    title: 'Invalid passkey',
    description: 'The passkey is unknown, or its answer does not match this site and challenge.',
  },
  subscription_inactive: {
    status: 402,
    title: 'Subscription inactive',
    description: 'Creating invoices needs an active subscription. Existing invoices are still watched.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    description:
      'The API key does not have the scope of the operation, or may not be used from this address; or your role in the project does not include the operation; or only operators of the deployment may call it; or a page of another site used the cookie of the account area.',
  },
  reauthentication_required: {
    status: 403,
    title: 'Reauthentication required',
    description:
      'This change needs a second factor that was given within the last ten minutes. Send a code or a passkey to POST /v1/auth/reauthenticate, then try again.',
  },
  password_required: {
    status: 403,
    title: 'Password required',
    description:
      'In the account area this change needs the password, given within the last ten minutes. Send it to POST /v1/auth/confirm-password, then try again.',
  },
  email_not_verified: {
    status: 403,
    title: 'Email not verified',
    description:
      'Verify the email address of your account first: POST /v1/auth/resend-verification mails a link.',
    pagesOnly: true,
  },
  invitation_for_other_email: {
    status: 403,
    title: 'Invitation for another email',
    description:
      'The invitation was sent to a different email address. Log in to the account with that address.',
    pagesOnly: true,
  },
  not_found: {
    status: 404,
    title: 'Not found',
    description: 'There is nothing at this address.',
  },
  key_not_found: {
    status: 404,
    title: 'API key not found',
    description: 'The project has no API key with this public part.',
  },
  invoice_not_found: {
    status: 404,
    title: 'Invoice not found',
    description: 'There is no invoice with this public_id.',
  },
  wallet_not_found: {
    status: 404,
    title: 'Wallet not found',
    description: 'The project has no wallet of this currency. Register one first.',
  },
  wallet_change_not_found: {
    status: 404,
    title: 'Wallet change not found',
    description: 'No change of a wallet of this currency is pending. It may have taken effect.',
  },
  endpoint_not_found: {
    status: 404,
    title: 'Webhook endpoint not found',
    description: 'The project has no webhook endpoint with this id.',
  },
  payment_link_not_found: {
    status: 404,
    title: 'Payment link not found',
    description: 'The project has no payment link with this id.',
  },
  project_not_found: {
    status: 404,
    title: 'Project not found',
    description: 'The caller has no project with this id, and is no member of one.',
    pagesOnly: true,
  },
  account_not_found: {
    status: 404,
    title: 'Account not found',
    description: 'There is no account with this id.',
    pagesOnly: true,
  },
  member_not_found: {
    status: 404,
    title: 'Member not found',
    description: 'The project has no member with this id.',
    pagesOnly: true,
  },
  invitation_not_found: {
    status: 404,
    title: 'Invitation not found',
    description:
      'The project has no pending invitation with this id. It may have been accepted or have expired.',
    pagesOnly: true,
  },
  upload_not_found: {
    status: 404,
    title: 'Upload not found',
    description: 'The project has no upload with this id.',
    pagesOnly: true,
  },
  event_not_found: {
    status: 404,
    title: 'Event not found',
    description: 'The project has no event with this id.',
  },
  session_not_found: {
    status: 404,
    title: 'Session not found',
    description: 'The account has no open session with this session_id.',
  },
  factor_not_found: {
    status: 404,
    title: 'Second factor not found',
    description: 'The account has no such second factor.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    description: 'The resource does not have this method. The Allow header lists those it has.',
  },
  already_extended: {
    status: 409,
    title: 'Already extended',
    description: 'An invoice can be extended once, and this one was.',
  },
  invoice_not_extendable: {
    status: 409,
    title: 'Invoice not extendable',
    description: 'Only an invoice in status new or pending can be extended.',
  },
  idempotency_conflict: {
    status: 409,
    title: 'Idempotency conflict',
    description: 'The Idempotency-Key and the order_id name two different invoices.',
  },
  webhook_not_configured: {
    status: 409,
    title: 'Webhook not configured',
    description: 'The project has no webhook endpoint to send to. Set one with POST /v1/webhooks.',
  },
  webhook_disabled: {
    status: 409,
    title: 'Webhook disabled',
    description:
      'The endpoint answered 410 or was disabled by its owner. Enable it with PATCH /v1/webhook-endpoints/{endpointId}, or set it again with POST /v1/webhooks.',
  },
  too_many_endpoints: {
    status: 409,
    title: 'Too many webhook endpoints',
    description: 'A project has at most 10 webhook endpoints. Delete one first.',
  },
  too_many_payment_links: {
    status: 409,
    title: 'Too many payment links',
    description: 'A project has at most 100 payment links. Delete one first.',
  },
  too_many_projects: {
    status: 409,
    title: 'Too many projects',
    description: 'An account creates at most 10 projects.',
    pagesOnly: true,
  },
  too_many_members: {
    status: 409,
    title: 'Too many members',
    description:
      'A project has at most 20 members, pending invitations included. Remove a member or cancel an invitation first.',
    pagesOnly: true,
  },
  already_member: {
    status: 409,
    title: 'Already a member',
    description: 'The account with this email already works in the project.',
    pagesOnly: true,
  },
  owner_stays: {
    status: 409,
    title: 'Owner stays',
    description:
      'The account that created the project stays its owner: it cannot leave, and its role does not change.',
    pagesOnly: true,
  },
  too_many_uploads: {
    status: 409,
    title: 'Too many uploads',
    description: 'A project has at most 20 uploads. Delete one first.',
    pagesOnly: true,
  },
  payment_link_closed: {
    status: 409,
    title: 'Payment link closed',
    description: 'The payment link is disabled or has expired.',
  },
  sold_out: {
    status: 409,
    title: 'Sold out',
    description:
      'Every piece of the payment link is sold or waits for its payment. An unpaid one may be free later.',
  },
  email_taken: {
    status: 409,
    title: 'Email taken',
    description: 'Another account has this email by now, so the change cannot be completed.',
  },
  too_many_factors: {
    status: 409,
    title: 'Too many second factors',
    description: 'An account can have five second factors. Remove one first.',
  },
  passkey_exists: {
    status: 409,
    title: 'Passkey exists',
    description: 'This passkey was already added. Use another one.',
  },
  passkeys_unavailable: {
    status: 409,
    title: 'Passkeys unavailable',
    description: 'Passkeys need a deployment with https and a domain name. Ask its operator.',
  },
  mail_not_configured: {
    status: 409,
    title: 'Mail not configured',
    description: 'This deployment sends no mail. Ask its operator.',
  },
  link_expired: {
    status: 410,
    title: 'Link expired',
    description: 'The link is unknown, has expired or was used already. Ask for a new one.',
  },
  challenge_expired: {
    status: 410,
    title: 'Challenge expired',
    description: 'The challenge is unknown, has expired or was used up. Start again.',
  },
  payload_too_large: {
    status: 413,
    title: 'Payload too large',
    description: 'The request body is larger than 64 KiB.',
  },
  file_too_large: {
    status: 413,
    title: 'File too large',
    description: 'The file is larger than 512 KiB.',
    pagesOnly: true,
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    description: 'The request body must be sent as application/json in UTF-8, uncompressed.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'Range not satisfiable',
    description:
      'The range starts beyond the end of the file. `Content-Range` contains the size of the file.',
    pagesOnly: true,
  },
  validation_error: {
    status: 422,
    title: 'Validation error',
    description: 'The request is not valid. `errors` names each field and what is wrong with it.',
  },
  file_not_supported: {
    status: 422,
    title: 'File not supported',
    description:
      'The file is not a whole GIF, WebP, PNG or JPEG image, or not a whole MP3, OGG or WAV sound. Its content decides, not its name.',
    pagesOnly: true,
  },
  image_too_large: {
    status: 422,
    title: 'Image too large',
    description: 'The image has more than 2,048 pixels on a side, or too many frames for its size.',
    pagesOnly: true,
  },
  sound_too_long: {
    status: 422,
    title: 'Sound too long',
    description: 'The sound is longer than 10 seconds.',
    pagesOnly: true,
  },
  wallet_not_verified: {
    status: 422,
    title: 'Wallet not verified',
    description: 'The project has no verified wallet of this currency.',
  },
  address_mismatch: {
    status: 422,
    title: 'Address mismatch',
    description: 'The address does not belong to the registered wallet.',
  },
  proof_of_work_required: {
    status: 422,
    title: 'Proof of work required',
    description:
      'Few addresses are left: send `proof_of_work`, a solution of the challenge that the link names (GET /v1/public/donate/{token} or GET /v1/public/links/{token}). Each serves once.',
  },
  rate_limited: {
    status: 429,
    title: 'Rate limited',
    description: 'Too many requests. Retry after the number of seconds in Retry-After.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    description: 'Something went wrong on our side. Quote the request_id when you report it.',
  },
  service_unavailable: {
    status: 503,
    title: 'Service unavailable',
    description: 'The service cannot respond right now. Retry after the number of seconds in Retry-After.',
  },
  address_pool_busy: {
    status: 503,
    title: 'Address pool busy',
    description: 'No receiving address is free. Retry after the number of seconds in Retry-After.',
  },
  fee_unavailable: {
    status: 503,
    title: 'Fee estimate unavailable',
    description:
      'There is no fee estimate for this currency now. Retry after the number of seconds in Retry-After.',
  },
  rate_unavailable: {
    status: 503,
    title: 'Exchange rate unavailable',
    description:
      'There is no reliable exchange rate now: too few markets answer or agree. Retry after the number of seconds in Retry-After.',
  },
} as const satisfies Record<string, ErrorCodeEntry>;

/** A machine-readable error code, the `code` of a problem document. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The HTTP status of this code. */
export function errorStatus(code: ErrorCode): number {
  return ERROR_CODES[code].status;
}
