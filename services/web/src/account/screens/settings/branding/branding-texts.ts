import type { Language } from '../../../../ui/language.ts';

const en = {
  heading: 'Payment pages',
  hint: 'Your logo, your color, and links to your terms and your support, on the pages of orders and payment links. Pages that are open already show changes when they are loaded again.',
  logo: 'Logo',
  logoHint: 'PNG, JPEG, WebP or GIF, at most 512 KiB. It is made smaller if it is larger than 512 pixels.',
  removeLogo: 'Remove logo',
  ownColor: 'Buttons in a color of my own',
  color: 'Color',
  colorHint: 'It becomes darker or lighter where buttons would be hard to read.',
  sample: 'Pay',
  terms: 'Terms',
  termsHint: 'https address of the terms of your sales.',
  support: 'Support',
  supportHint: 'https address of your support, or an email address.',
  save: 'Save',
  saved: 'Saved.',
};
/** The shape that every other language has to fill. */
export type BrandingTexts = typeof en;

const de: BrandingTexts = {
  heading: 'Zahlungsseiten',
  hint: 'Ihr Logo, Ihre Farbe und Links zu Ihren Bedingungen und Ihrem Support, auf den Seiten von Bestellungen und Zahlungslinks. Seiten, die schon offen sind, zeigen Änderungen, wenn sie neu geladen werden.',
  logo: 'Logo',
  logoHint: 'PNG, JPEG, WebP oder GIF, höchstens 512 KiB. Über 512 Pixel wird es verkleinert.',
  removeLogo: 'Logo entfernen',
  ownColor: 'Schaltflächen in eigener Farbe',
  color: 'Farbe',
  colorHint: 'Sie wird dunkler oder heller, wo Schaltflächen sonst schlecht lesbar wären.',
  sample: 'Zahlen',
  terms: 'Bedingungen',
  termsHint: 'https-Adresse Ihrer Verkaufsbedingungen.',
  support: 'Support',
  supportHint: 'https-Adresse Ihres Supports oder eine E-Mail-Adresse.',
  save: 'Speichern',
  saved: 'Gespeichert.',
};

/** The texts of the branding, by language. */
export const BRANDING_TEXTS: Readonly<Record<Language, BrandingTexts>> = { en, de };
