import { useEffect, useRef, useState } from 'preact/hooks';

/** A code that changes wait for. */
type Proof = {
  isAsked: boolean;
  /** Asks for a code. Resolves to whether it was given; all changes that wait get the same answer. */
  prove: () => Promise<boolean>;
  end: (isProved: boolean) => void;
};

/** Asks the reader for a code. A navigation, such as to the login when the session has ended, cancels. */
export function useProof(visit: number): Proof {
  const waiting = useRef<((isProved: boolean) => void)[]>([]);
  const [isAsked, setAsked] = useState(false);
  const prove = () =>
    new Promise<boolean>((resolve) => {
      waiting.current.push(resolve);
      setAsked(true);
    });
  const end = (isProved: boolean) => {
    for (const resolve of waiting.current.splice(0)) resolve(isProved);
    setAsked(false);
  };
  useEffect(() => () => end(false), [visit]);
  return { isAsked, prove, end };
}
