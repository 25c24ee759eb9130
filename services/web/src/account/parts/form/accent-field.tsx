import { accentColors } from '@paywatch/domain/accent';
import { Checkbox, Field } from './form.tsx';

/** The color of the page's own style sheet. */
const FIRST = '#2b3a55';

type AccentFieldProps = {
  /** `#rrggbb`; null for the usual color. */
  accent: string | null;
  words: { ownColor: string; color: string; colorHint: string; sample: string };
  onAccent: (accent: string | null) => void;
};

/** The color of a page's buttons, with the button as each color scheme shows it. */
export function AccentField({ accent, words, onAccent }: AccentFieldProps) {
  return (
    <>
      <Checkbox
        id="own_color"
        label={words.ownColor}
        isChecked={accent !== null}
        onValue={(isOwn) => onAccent(isOwn ? FIRST : null)}
      />
      {accent === null ? null : (
        <Field id="accent" label={words.color} hint={words.colorHint}>
          <div class="accent">
            <input
              type="color"
              class="input"
              id="accent"
              value={accent}
              aria-describedby="accent-note"
              data-testid="accent"
              onInput={(event) => onAccent(event.currentTarget.value)}
            />
            <Samples accent={accent} label={words.sample} />
          </div>
        </Field>
      )}
    </>
  );
}

/** Drawn as SVG: the pages allow no inline styles. */
function Samples({ accent, label }: { accent: string; label: string }) {
  const { light, dark } = accentColors(accent);
  return (
    <>
      {[light, dark].map((colors, index) => (
        <svg key={index} class="accent__sample" viewBox="0 0 96 44" aria-hidden="true">
          <rect width="96" height="44" rx="10" fill={colors.accent} />
          <text x="48" y="28" text-anchor="middle" font-size="16" font-weight="600" fill={colors.onAccent}>
            {label}
          </text>
        </svg>
      ))}
    </>
  );
}
