import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

const SHOWN_MS = 2000;

/** Copies texts to the clipboard; `copied` holds the last one for two seconds. */
export function useCopy(): { copied: string | null; copy: (text: string) => void } {
  const [copied, setCopied] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = useCallback((text: string) => {
    void writeClipboard(text).then((isDone) => {
      if (!isDone) return;
      clearTimeout(timer.current);
      setCopied(text);
      timer.current = setTimeout(() => setCopied(null), SHOWN_MS);
    });
  }, []);
  return { copied, copy };
}

async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The clipboard API is missing without https and blocked in some in-app browsers; execCommand works there.
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'visually-hidden';
  document.body.append(field);
  field.select();
  const isDone = document.execCommand('copy');
  field.remove();
  return isDone;
}
