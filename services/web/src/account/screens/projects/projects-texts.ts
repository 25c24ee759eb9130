import type { Language } from '../../../ui/language.ts';

const en = {
  heading: 'Projects',
  lead: 'Each project has its own wallets, API keys, webhooks, invoices and subscription. This tab works in one of them; another tab can work in another one.',
  count: (count: number) =>
    count === 1
      ? 'Your account works in one project. Create another one for a second shop.'
      : `Your account works in ${count} projects.`,
  manage: 'Switch or create projects',
  current: 'Open in this tab',
  open: 'Open',
  openName: (name: string) => `Open ${name}`,
  unnamed: 'Unnamed project',
  create: 'Create a project',
  name: 'Name',
  nameHint: 'Payers and donors see this name.',
  submit: 'Create project',
  tooMany: 'You have created as many projects as an account can have.',
  lost: 'You no longer have access to the project that was open here. You see your own project now.',
};

const de: typeof en = {
  heading: 'Projekte',
  lead: 'Jedes Projekt hat eigene Wallets, API-Schlüssel, Webhooks, Rechnungen und ein eigenes Abonnement. Dieser Tab arbeitet in einem davon, ein anderer Tab kann in einem anderen arbeiten.',
  count: (count) =>
    count === 1
      ? 'Ihr Konto arbeitet in einem Projekt. Erstellen Sie ein weiteres für einen zweiten Shop.'
      : `Ihr Konto arbeitet in ${count} Projekten.`,
  manage: 'Projekte wechseln oder erstellen',
  current: 'In diesem Tab geöffnet',
  open: 'Öffnen',
  openName: (name) => `${name} öffnen`,
  unnamed: 'Projekt ohne Namen',
  create: 'Projekt erstellen',
  name: 'Name',
  nameHint: 'Zahlende und Spendende sehen diesen Namen.',
  submit: 'Projekt erstellen',
  tooMany: 'Sie haben so viele Projekte erstellt, wie ein Konto haben kann.',
  lost: 'Sie haben keinen Zugang mehr zu dem Projekt, das hier geöffnet war. Sie sehen jetzt Ihr eigenes Projekt.',
};

/** Loaded with the screen. */
export const PROJECTS_TEXTS: Readonly<Record<Language, typeof en>> = { en, de };
