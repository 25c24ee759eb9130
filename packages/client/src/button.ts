/** What is known about the payment in the modal. */
export type PaymentState = {
  readonly publicId: string;
  readonly status: 'new' | 'pending' | 'confirmed' | 'underpaid' | 'expired' | 'late_payment';
};

/** What your page wants to know. For what it shows only: deliver after a webhook, since everybody can fake these in their own browser. */
export type PaymentListeners = {
  /** The payment was seen, and is not confirmed yet. Called once. */
  readonly onSeen?: (state: PaymentState) => void;
  /** The payment is confirmed. Called once. */
  readonly onConfirmed?: (state: PaymentState) => void;
  /** The buyer closed the modal; the payment may still come in. null: the buyer started no purchase. */
  readonly onClosed?: (state: PaymentState | null) => void;
};

type Event = 'opened' | 'status' | 'paid' | 'closed';
type Notify = (event: Event, state: { publicId: string | null; status: string | null }) => void;
/** What `/embed.js` of a Paywatch leaves in the window. */
type Button = { readonly open?: (url: string, notify: Notify) => void };

const loading = new Map<string, Promise<Button>>();

/**
 * Opens a payment link, or the `pay_url` of an invoice, in a modal on your page. Resolves when it is open. The same link continues the
 * invoice that is still open there. Your page must be one of the sites that the project lists.
 *
 * Rejects with TypeError for another URL, and with Error if the modal could not be loaded: send the buyer to the URL then.
 */
export async function openPayment(url: string, listeners: PaymentListeners = {}): Promise<void> {
  const { origin, pathname, href } = new URL(url);
  if (!/^https?:/.test(origin) || !/^\/(l|pay)\//.test(pathname))
    throw new TypeError('not the URL of a payment link or payment page');
  const { open } = await buttonOf(origin);
  if (open === undefined) throw new Error('the modal is not available in this browser');
  open(href, notifierOf(listeners));
}

function notifierOf({ onSeen, onConfirmed, onClosed }: PaymentListeners): Notify {
  const called = new Set<string>();
  const once = (name: string, listener: ((state: PaymentState) => void) | undefined, state: PaymentState) => {
    if (called.has(name)) return;
    called.add(name);
    listener?.(state);
  };
  return (event, { publicId, status }) => {
    const state = publicId === null ? null : ({ publicId, status } as PaymentState);
    if (event === 'closed') onClosed?.(state);
    else if (event === 'paid' && state) once('confirmed', onConfirmed, state);
    else if (state?.status === 'pending') once('seen', onSeen, state);
  };
}

/** The button of a Paywatch. The script is its own, so that the modal always fits its pages; it is loaded once. */
function buttonOf(origin: string): Promise<Button> {
  const known = loading.get(origin) ?? load(origin);
  loading.set(origin, known);
  // The next call tries again.
  known.catch(() => loading.delete(origin));
  return known;
}

async function load(origin: string): Promise<Button> {
  const find = () =>
    (window as unknown as Record<symbol, Button | undefined>)[Symbol.for(`paywatch ${origin}`)];
  const there = find();
  if (there !== undefined) return there;
  await new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `${origin}/embed.js`;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => {
      script.remove();
      reject(new Error(`${script.src} could not be loaded`));
    });
    document.head.append(script);
  });
  return find() ?? {};
}
