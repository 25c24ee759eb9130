/**
 * Every limit of a request field, in one place: schemas, OpenAPI document and pages read them here.
 * Lengths of text are counted in Unicode code points, as JSON Schema and Postgres count them.
 */
export const LIMITS = {
  /** 254 is the longest address that fits an SMTP path (RFC 5321). */
  email: { maxLength: 254 },
  /** The upper bound keeps the cost of one password hash bounded; the lower one is the interface's. */
  password: { minLength: 8, maxLength: 200 },
  /** Ours have 43 characters. */
  linkToken: { maxLength: 100 },
  keyName: { minLength: 1, maxLength: 100 },
  /** The ranges that one API key may be used from. */
  allowedAddresses: { maxItems: 20 },
  projectName: { minLength: 1, maxLength: 100 },
  idempotencyKey: { minLength: 1, maxLength: 200 },
  orderId: { minLength: 1, maxLength: 200 },
  ttlSeconds: { min: 60, max: 86_400 },
  donorName: { maxLength: 50 },
  donorMessage: { maxLength: 200 },
  /** What browsers and servers agree to carry. */
  url: { maxLength: 2048 },
  /** The longest bech32 address is 90 characters; a BIP 21 URI around one is not accepted. */
  address: { minLength: 1, maxLength: 100 },
  /** An extended key has 111 characters; the rest is room for other pasted text, which gets its own error later. */
  xpub: { maxLength: 500 },
  derivationPath: { maxLength: 255 },
  gapLimit: { min: 1, max: 100_000 },
  /** Index 0 is the verification address. Up to 2^31 - 1 is left free, so that derivation never runs out. */
  startIndex: { min: 1, max: 2_000_000_000 },
  pageSize: { min: 1, max: 100, default: 50 },
} as const;

/** The limits of what owners set, apart from the others: the pages of payers and donors must not load them. */
export const SETTING_LIMITS = {
  /** Derived addresses of an account, before payments raise the limit. */
  addressLimit: { min: 20, max: 1_000_000_000 },
  operatorCode: { minLength: 1, maxLength: 200 },
  operatorReason: { minLength: 1, maxLength: 200 },
  operatorSearch: { minLength: 1, maxLength: 100 },
  /** Room for a recovery code with separators. */
  factorCode: { maxLength: 64 },
  factorName: { minLength: 1, maxLength: 50 },
  /** One character matches nearly everything. */
  invoiceSearch: { minLength: 2, maxLength: 100 },
  endpointDescription: { maxLength: 100 },
  linkTitle: { minLength: 1, maxLength: 100 },
  linkDescription: { maxLength: 500 },
  saleNote: { maxLength: 80 },
  /** What a payment page lists of an order. */
  order: {
    description: { minLength: 1, maxLength: 200 },
    lines: { maxItems: 20 },
    lineName: { minLength: 1, maxLength: 100 },
    lineQuantity: { min: 1, max: 9999 },
  },
  /** Each piece of a stock is counted when somebody buys. */
  linkStock: { min: 1, max: 1000 },
  /** The sites whose pages may frame the payment pages of a project: a header must hold them all. */
  embedSites: { maxItems: 20 },
  /** A scheme, the longest host name and a port. */
  embedSite: { maxLength: 267 },
  /** The sentence of an alert. */
  sentence: { minLength: 1, maxLength: 100 },
  /** Above a goal bar. */
  goalTitle: { maxLength: 60 },
  /** Own words that hold a donation. */
  moderation: { words: { maxItems: 200 }, word: { minLength: 2, maxLength: 50 } },
  /** What a donation page shows besides its form. Four suggestions fit in a row. */
  donationPage: {
    text: { maxLength: 500 },
    links: { maxItems: 5 },
    linkTitle: { minLength: 1, maxLength: 50 },
    linkUrl: { maxLength: 500 },
    suggestions: { maxItems: 4 },
  },
  /** Half of the price: more is a typing error. */
  priceMarginBps: { min: 0, max: 5000 },
  /** In seconds. 30 days: longer than that, nobody remembers the mail. */
  walletChangeDelay: { min: 0, max: 30 * 86_400 },
  /** Ten years. */
  donorTextsDays: { min: 1, max: 3650 },
} as const;

/** Limits of uploaded pictures and sounds. */
export const UPLOAD_LIMITS = {
  maxBytes: 512 * 1024,
  /** For each project. */
  maxCount: 20,
  fileName: { maxLength: 100 },
  /** Of each side, in pixels. */
  maxSide: 2048,
  /** Of all frames together: what a browser would have to draw. */
  maxPixels: 256_000_000,
  maxSoundMs: 10_000,
} as const;

/** Characters of what a browser sends about a passkey, in base64url. */
export const PASSKEY_LIMITS = {
  /** 1,023 bytes, the limit of WebAuthn. */
  credentialId: { maxLength: 1364 },
  clientData: { maxLength: 2048 },
  authenticatorData: { maxLength: 1024 },
  /** RSA with 4,096 bits needs 683. */
  signature: { maxLength: 1024 },
  /** 64 bytes, the limit of WebAuthn. */
  userHandle: { maxLength: 86 },
  /** Room for the certificates of an attestation, which is not read. */
  attestation: { maxLength: 16_384 },
  transports: { maxItems: 10 },
  transport: { maxLength: 32 },
} as const;

/** The smallest (dust limit) and largest (all coins there can be) amount per currency, in minimal units. */
export const AMOUNT_LIMITS = {
  BTC: { min: 546n, max: 2_100_000_000_000_000n },
  LTC: { min: 5_460n, max: 8_400_000_000_000_000n },
} as const;
