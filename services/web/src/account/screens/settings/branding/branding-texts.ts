import type { Language } from '../../../../ui/language.ts';

const en = {
  heading: 'Payment pages',
  hint: 'Show your logo, your color, and links to your terms and support on the pages of orders and payment links. Pages that are already open show changes after a reload.',
  logo: 'Logo',
  logoHint: 'PNG, JPEG, WebP or GIF, at most 512 KB. Logos larger than 512 pixels are scaled down.',
  removeLogo: 'Remove logo',
  ownColor: 'Use my own color for buttons',
  color: 'Color',
  colorHint: 'Made darker or lighter where buttons would be hard to read.',
  sample: 'Pay',
  terms: 'Terms',
  termsHint: 'https URL of your terms of sale.',
  support: 'Support',
  supportHint: 'https URL of your support page, or an email address.',
  save: 'Save',
  saved: 'Saved.',
};
/** The shape that every other language has to fill. */
export type BrandingTexts = typeof en;

const de: BrandingTexts = {
  heading: 'Zahlungsseiten',
  hint: 'Zeigen Sie Ihr Logo, Ihre Farbe und Links zu Ihren Verkaufsbedingungen und Ihrem Support auf den Seiten von Bestellungen und Bezahllinks. Bereits geöffnete Seiten zeigen Änderungen, nachdem sie neu geladen wurden.',
  logo: 'Logo',
  logoHint: 'PNG, JPEG, WebP oder GIF, höchstens 512 KB. Logos über 512 Pixel werden verkleinert.',
  removeLogo: 'Logo entfernen',
  ownColor: 'Eigene Farbe für Schaltflächen',
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
