import { findSecret, type SecretKind } from '@paywatch/domain/secret-text';
import { useState } from 'preact/hooks';

/** Keeps private keys and seed phrases out of a form: they never become its value, so nothing can send them. */
export type SecretGuard<Field extends string> = {
  /** What may become the value of the field: the text, or nothing where it gave a secret away. */
  admit: (field: Field, text: string) => string;
  /** What was last pasted into the field by mistake; null after anything else. */
  secretIn: (field: Field) => SecretKind | null;
};

/** A guard for the fields of one form. */
export function useSecretGuard<Field extends string>(): SecretGuard<Field> {
  const [found, setFound] = useState<{ field: Field; kind: SecretKind } | null>(null);
  return {
    admit: (field, text) => {
      const kind = findSecret(text);
      if (kind !== null) setFound({ field, kind });
      // The warning stays while the field is empty: emptying it is an input, too.
      else if (text !== '') setFound(null);
      return kind === null ? text : '';
    },
    secretIn: (field) => (found?.field === field ? found.kind : null),
  };
}
