import type { NoticesView } from '@paywatch/domain/contract';
import type { Language } from '../../../../ui/language.ts';

type Kind = Exclude<keyof NoticesView, 'language'>;
type NoticesTexts = {
  readonly heading: string;
  readonly lead: string;
  readonly kinds: Readonly<Record<Kind, string>>;
};

/** Not among the texts of the whole area: loaded with the panel. */
export const NOTICES_TEXTS: Readonly<Record<Language, NoticesTexts>> = {
  en: {
    heading: 'Notices by mail',
    lead: 'Notices go to your verified address. You also get a mail when you change this selection.',
    kinds: {
      new_device: 'Login from a new network',
      password_changed: 'Password changed',
      second_factor_changed: 'Two-factor login changed',
      wallet_changed: 'Wallet added or changed',
      endpoint_changed: 'Webhook endpoint changed',
      api_key_changed: 'API key created or revoked',
      endpoint_failing: 'Webhook endpoint does not accept events',
      pool_low: 'Addresses are running out',
      subscription_ending: 'Subscription ends within a week',
      branding_changed: 'Name or look of your pages changed',
      members_changed: 'Member invited, joined, left or removed, or role changed',
    },
  },
  de: {
    heading: 'Hinweise per E-Mail',
    lead: 'Hinweise gehen an Ihre bestätigte Adresse. Auch wenn Sie diese Auswahl ändern, erhalten Sie eine E-Mail.',
    kinds: {
      new_device: 'Anmeldung aus einem neuen Netz',
      password_changed: 'Passwort geändert',
      second_factor_changed: 'Zwei-Faktor-Anmeldung geändert',
      wallet_changed: 'Wallet hinzugefügt oder geändert',
      endpoint_changed: 'Webhook-Endpunkt geändert',
      api_key_changed: 'API-Schlüssel erstellt oder widerrufen',
      endpoint_failing: 'Webhook-Endpunkt nimmt keine Ereignisse an',
      pool_low: 'Adressen gehen aus',
      subscription_ending: 'Abonnement endet innerhalb einer Woche',
      branding_changed: 'Name oder Aussehen Ihrer Seiten geändert',
      members_changed: 'Mitglied eingeladen, beigetreten, ausgetreten oder entfernt, oder Rolle geändert',
    },
  },
};
