import type { Language } from '../../../ui/language.ts';

const en = {
  open: 'I have an operator code',
  label: 'Operator code',
  hint: 'Makes you the operator of this deployment. The installer wrote it to a file on the server.',
  refused: 'This code is wrong or was used before.',
};

const de: typeof en = {
  open: 'Ich habe einen Betreibercode',
  label: 'Betreibercode',
  hint: 'Macht Sie zum Betreiber dieser Installation. Der Installer hat ihn auf dem Server in eine Datei geschrieben.',
  refused: 'Dieser Code ist falsch oder wurde schon verwendet.',
};

/** Loaded with the field. */
export const OPERATOR_CODE_TEXTS: Readonly<Record<Language, typeof en>> = { en, de };
