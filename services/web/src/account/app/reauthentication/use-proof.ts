import { useEffect, useRef, useState } from 'preact/hooks';
import type { ProofKind } from '../../api/api.ts';

/** A code or password that changes wait for. */
type Proof = {
  /** What is asked for; null if nothing. */
  asked: ProofKind | null;
  /** Asks for the proof. Resolves to whether it was given; all pending changes get the same result. */
  prove: (kind: ProofKind) => Promise<boolean>;
  end: (isProved: boolean) => void;
};

/** Asks the reader for a code or the password. A navigation, such as to the login when the session has ended, cancels. */
export function useProof(visit: number): Proof {
  const waiting = useRef<((isProved: boolean) => void)[]>([]);
  const [asked, setAsked] = useState<ProofKind | null>(null);
  const prove = (kind: ProofKind) =>
    new Promise<boolean>((resolve) => {
      waiting.current.push(resolve);
      setAsked(kind);
    });
  const end = (isProved: boolean) => {
    for (const resolve of waiting.current.splice(0)) resolve(isProved);
    setAsked(null);
  };
  useEffect(() => () => end(false), [visit]);
  return { asked, prove, end };
}
