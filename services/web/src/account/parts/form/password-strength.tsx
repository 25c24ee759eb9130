import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** How strong a new password is. The estimate and its word lists are loaded with the first character. */
export function PasswordStrength({ password }: { password: string }) {
  const [Meter, setMeter] = useState<ComponentType<{ password: string }> | null>(null);
  const isNeeded = password !== '' && Meter === null;
  useEffect(() => {
    if (!isNeeded) return;
    // Without the meter the form works as well; the server refuses common passwords.
    import('./strength-meter.tsx').then(
      ({ StrengthMeter }) => setMeter(() => StrengthMeter),
      () => undefined,
    );
  }, [isNeeded]);
  return password === '' || Meter === null ? null : <Meter password={password} />;
}
