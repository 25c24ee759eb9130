/** How long a session lasts at most. */
export const SESSION_SECONDS = 7 * 24 * 3600;

/** The form of a session token. */
export const SESSION_TOKEN = /^ses_[A-Za-z0-9_-]{43}$/;
