import { useId, useState } from 'preact/hooks';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useAccount } from '../app/account-context.ts';
import type { CodeSample } from '../screens/start/code-samples.ts';

const TABS = [
  ['curl', 'curl'],
  ['typescript', 'TypeScript'],
] as const;

/** The same API call in tabs for curl and TypeScript, with a copy button. */
export function CodeTabs({ sample }: { sample: CodeSample }) {
  const { texts } = useAccount();
  const [shown, setShown] = useState<keyof CodeSample>('curl');
  const id = useId();
  return (
    <details class="code" open data-testid="code">
      <summary>{texts.start.doItWithApi}</summary>
      <div class="code__head">
        <div role="tablist" aria-label={texts.start.doItWithApi} class="code__tabs">
          {TABS.map(([name, label]) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`${id}-${name}`}
              aria-controls={`${id}-panel`}
              aria-selected={name === shown}
              tabIndex={name === shown ? 0 : -1}
              data-testid={`code-${name}`}
              onClick={() => setShown(name)}
              onKeyDown={(event) => {
                if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
                const other = shown === 'curl' ? 'typescript' : 'curl';
                setShown(other);
                document.getElementById(`${id}-${other}`)?.focus();
              }}
            >
              {label}
            </button>
          ))}
        </div>
        <CopyButton
          text={sample[shown]}
          label={texts.common.copy}
          copiedLabel={texts.common.copied}
          testId="code-copy"
        />
      </div>
      <pre
        id={`${id}-panel`}
        role="tabpanel"
        tabIndex={0}
        aria-labelledby={`${id}-${shown}`}
        dir="ltr"
        translate={false}
      >
        <code>{sample[shown]}</code>
      </pre>
    </details>
  );
}
