import { TextInput } from './form.tsx';

type CodeFieldProps = {
  id: string;
  label: string;
  hint: string;
  value: string;
  error: string | undefined;
  onValue: (value: string) => void;
};

/** The input of a code of an authenticator app, or of a recovery code. Phones offer the code of an app. */
export function CodeField(props: CodeFieldProps) {
  return <TextInput {...props} autocomplete="one-time-code" isMono takesFocus />;
}
