import type { WebhookView } from '@paywatch/domain/contract';
import { utcText } from '../../../ui/moment.tsx';
import { dayText } from '../../app/day-text.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Badge } from '../../parts/badge.tsx';

const TONES = { healthy: 'done', failing: 'act', disabled: 'act' } as const;

/** The endpoint's URL and whether its deliveries succeed. */
export function EndpointState({ webhook }: { webhook: WebhookView }) {
  const { texts, language } = useSignedInAccount();
  const { status, failing_since: since, url } = webhook;
  const words =
    status === 'failing'
      ? texts.endpointStates.failing(since === null ? '' : dayText(since, language))
      : texts.endpointStates[status];
  return (
    <div class="endpoint" data-testid="endpoint" data-status={status}>
      <code class="endpoint__url" dir="ltr">
        {url}
      </code>
      <span title={since === null ? undefined : utcText(since)}>
        <Badge tone={TONES[status]}>{words}</Badge>
      </span>
    </div>
  );
}
