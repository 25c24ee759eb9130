import type { PublicPaymentLink } from '@paywatch/domain/contract';
import { Icon } from '../ui/icons.tsx';
import type { LinkTexts } from './link-en.ts';

type Reason = Exclude<keyof LinkTexts['closed'], 'again'>;

/** Why nobody can buy by the link now; null if somebody can. Pure. */
export function closedReason(link: PublicPaymentLink): Reason | null {
  if (link.status === 'sold_out') return link.single_use ? 'used' : 'sold_out';
  if (link.status !== 'open') return link.status;
  if (link.accepting && link.currencies.length > 0) return null;
  return link.busy_currencies === undefined ? 'paused' : 'busy';
}

/** Shown where a valid link sells nothing now. */
export function ClosedView({
  link,
  reason,
  texts,
}: {
  link: PublicPaymentLink;
  reason: Reason;
  texts: LinkTexts;
}) {
  const { title, detail } = texts.closed[reason];
  return (
    <article class="card problem" data-testid="link-closed" data-reason={reason}>
      <span class="mark">
        <Icon name={reason === 'used' ? 'check' : 'clock'} />
      </span>
      <h1 class="problem__title" dir="auto">
        {link.title}
      </h1>
      <p>
        <strong>{title}</strong>
      </p>
      <p>{detail}</p>
      {reason === 'busy' || reason === 'sold_out' ? (
        <a class="button" href="" data-testid="try-again">
          {texts.closed.again}
        </a>
      ) : null}
    </article>
  );
}
