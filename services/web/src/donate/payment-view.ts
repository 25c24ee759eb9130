import type { PayApp } from '../pay/view/pay-app.tsx';
import type { PayTexts } from '../pay/texts/pay-en.ts';
import { loadPayTexts } from '../pay/texts/load-pay-texts.ts';
import type { Language } from '../ui/language.ts';

/** The view that replaces the form, with its texts. */
export type PaymentView = {
  readonly PayApp: typeof PayApp;
  readonly texts: PayTexts;
};

/** Loads the payment view, which is larger than the form; null if that fails. The browser keeps what it has loaded. */
export async function loadPaymentView(language: Language): Promise<PaymentView | null> {
  try {
    const [view, { pay }] = await Promise.all([import('../pay/view/pay-app.tsx'), loadPayTexts(language)]);
    return { PayApp: view.PayApp, texts: pay };
  } catch {
    // The network, or a new release that replaced the files: the payment page shows the same.
    return null;
  }
}
