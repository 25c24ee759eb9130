import { useEffect } from 'preact/hooks';

/** Keeps the screen on while the component is shown. Browsers end the lock of a hidden page, so it is requested again. */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null;
    let isEnded = false;
    const request = async () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
      // Refused by a phone that saves energy.
      lock = await navigator.wakeLock.request('screen').catch(() => null);
      if (isEnded) void lock?.release();
    };
    const onVisible = () => void request();
    document.addEventListener('visibilitychange', onVisible);
    void request();
    return () => {
      isEnded = true;
      document.removeEventListener('visibilitychange', onVisible);
      void lock?.release();
    };
  }, []);
}
