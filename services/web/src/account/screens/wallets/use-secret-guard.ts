import { findSecret, type SecretKind } from '@paywatch/domain/secret-text';
import { useState } from 'preact/hooks';

/** Rejects private keys and seed phrases in form fields, so that they are never sent. */
export type SecretGuard<Field extends string> = {
  /** The new value of the field: the text, or empty if it contains a secret. */
  admit: (field: Field, text: string) => string;
  /** The kind of secret that was last entered into the field; null after any other input. */
  secretIn: (field: Field) => SecretKind | null;
};

/** Creates the guard for the fields of one form. */
export function useSecretGuard<Field extends string>(): SecretGuard<Field> {
  const [found, setFound] = useState<{ field: Field; kind: SecretKind } | null>(null);
  return {
    admit: (field, text) => {
      const kind = findSecret(text);
      if (kind !== null) setFound({ field, kind });
      // Clearing the field fires an input event too; the warning has to survive it.
      else if (text !== '') setFound(null);
      return kind === null ? text : '';
    },
    secretIn: (field) => (found?.field === field ? found.kind : null),
  };
}
