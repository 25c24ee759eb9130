import type { Language } from '../../../ui/language.ts';

const en = {
  heading: 'Projects',
  lead: 'Each project has its own wallets, API keys, webhooks, invoices and subscription. Each tab works in one project; another tab can have another project open.',
  count: (count: number) =>
    count === 1
      ? 'You work in one project. Create another one for a second shop.'
      : `You work in ${count} projects.`,
  manage: 'Switch or create projects',
  current: 'Open in this tab',
  open: 'Open',
  openName: (name: string) => `Open ${name}`,
  unnamed: 'Unnamed project',
  create: 'Create a project',
  name: 'Name',
  nameHint: 'Payers and donors see this name.',
  submit: 'Create project',
  tooMany: 'You have created the maximum number of projects.',
  lost: 'You no longer have access to the project that was open here. You see your own project now.',
};

const de: typeof en = {
  heading: 'Projekte',
  lead: 'Jedes Projekt hat eigene Wallets, API-Schlüssel, Webhooks, Rechnungen und ein eigenes Abonnement. Jeder Tab arbeitet in einem Projekt; in einem anderen Tab kann ein anderes geöffnet sein.',
  count: (count) =>
    count === 1
      ? 'Sie arbeiten in einem Projekt. Erstellen Sie ein weiteres für einen zweiten Shop.'
      : `Sie arbeiten in ${count} Projekten.`,
  manage: 'Projekte wechseln oder erstellen',
  current: 'In diesem Tab geöffnet',
  open: 'Öffnen',
  openName: (name) => `${name} öffnen`,
  unnamed: 'Projekt ohne Namen',
  create: 'Projekt erstellen',
  name: 'Name',
  nameHint: 'Zahlende und Spendende sehen diesen Namen.',
  submit: 'Projekt erstellen',
  tooMany: 'Sie haben die Höchstzahl an Projekten erstellt.',
  lost: 'Sie haben keinen Zugang mehr zu dem Projekt, das hier geöffnet war. Sie sehen jetzt Ihr eigenes Projekt.',
};

/** Loaded with the screen. */
export const PROJECTS_TEXTS: Readonly<Record<Language, typeof en>> = { en, de };
