import { Fragment, type ComponentChildren, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Notice } from '../../ui/notice.tsx';
import { useAccount } from '../app/account-context.ts';

/**
 * A component whose script is loaded when it is first shown. If loading fails, it is loaded again once the device is online, or the
 * reader reloads the page, since a new release may have replaced the file. `Around` is the layout while the component is loading.
 */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Around: ComponentType<{ children: ComponentChildren }> = Fragment,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function Lazy(props: Props) {
    const { texts } = useAccount();
    const [state, setState] = useState<'loading' | 'failed' | 'ready'>('loading');
    useEffect(() => {
      const attempt = () =>
        void load().then(
          (part) => {
            loaded = part;
            setState('ready');
          },
          () => setState('failed'),
        );
      attempt();
      addEventListener('online', attempt);
      return () => removeEventListener('online', attempt);
    }, []);
    const Part = loaded;
    if (Part !== null) return <Part {...props} />;
    return (
      <Around>
        {state === 'failed' ? <LoadFailed /> : <p class="quiet loading-line">{texts.common.loading}</p>}
      </Around>
    );
  };
}

function LoadFailed() {
  const { texts } = useAccount();
  return (
    <div class="failed" data-testid="not-fetched">
      <Notice tone="act">{texts.problems.unreachable}</Notice>
      <button type="button" class="button" onClick={() => location.reload()}>
        {texts.common.retry}
      </button>
    </div>
  );
}
