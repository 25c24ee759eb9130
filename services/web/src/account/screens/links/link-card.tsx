import type { LinkStatus, PaymentLinkView } from '@paywatch/domain/contract';
import { coinText } from '../../../money/amounts.ts';
import { priceText } from '../../../money/fiat.ts';
import { useSubmit } from '../../api/use-submit.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { ConfirmButton } from '../../parts/form/confirm-button.tsx';
import { ProblemNotice } from '../../parts/form/form.tsx';
import { May } from '../../parts/may.tsx';
import { Panel } from '../../parts/panel.tsx';
import { CopyField } from '../../parts/secret-box.tsx';
import { LINKS_TEXTS } from './links-texts.ts';
import { CodeToggle } from './code-toggle.tsx';
import { PointOfSale } from './point-of-sale.tsx';
import { SiteButton } from './site-button.tsx';

type CardProps = { link: PaymentLinkView; reload: () => Promise<void> };

const TONES: Readonly<Record<LinkStatus, Tone>> = {
  open: 'done',
  disabled: 'calm',
  expired: 'calm',
  sold_out: 'waiting',
};

/** One link: its terms, its URL to copy or to scan, and what its owner can do with it. */
export function LinkCard({ link, reload }: CardProps) {
  const { language } = useSignedInAccount();
  const words = LINKS_TEXTS[language];
  const badge = (
    <Badge tone={TONES[link.status]} testId="link-status">
      {words.statuses[link.status]}
    </Badge>
  );
  return (
    <Panel title={link.title} actions={badge} testId="link">
      <LinkTerms link={link} />
      <CopyField value={link.url} testId="link-url" />
      <CodeToggle url={link.url} label={words.qr} testId="link-qr">
        <May call="updatePaymentLink">
          <LinkActions link={link} reload={reload} />
        </May>
      </CodeToggle>
      {link.pos_url === null ? null : <PointOfSale url={link.pos_url} />}
      <SiteButton link={link} />
    </Panel>
  );
}

function LinkTerms({ link }: Pick<CardProps, 'link'>) {
  const { language } = useSignedInAccount();
  const words = LINKS_TEXTS[language];
  const { available, stock, single_use: isSingleUse } = link;
  const sells = isSingleUse ? words.singleUse : stock === null ? null : words.left(available ?? 0, stock);
  return (
    <p data-testid="link-terms">
      <bdi dir="ltr">{amountText(link, language) ?? words.openAmount(link.price?.currency ?? null)}</bdi>
      {sells === null ? null : ` · ${sells}`}
    </p>
  );
}

/** The fixed amount; null where the buyer names it. */
function amountText({ price, amount, currencies }: PaymentLinkView, language: 'en' | 'de'): string | null {
  const [currency] = currencies ?? [];
  if (amount !== null && currency !== undefined) return coinText(amount, currency);
  if (price === null || price.amount === null) return null;
  return priceText({ amount: price.amount, currency: price.currency }, language);
}

function LinkActions({ link, reload }: CardProps) {
  const { api, language } = useSignedInAccount();
  const words = LINKS_TEXTS[language];
  const submit = useSubmit<PaymentLinkView>();
  const run = async (call: Parameters<typeof submit.send>[0]) => {
    if ((await submit.send(call)) !== null) await reload();
  };
  return (
    <>
      <button
        type="button"
        class="button button--small"
        data-testid="link-toggle"
        onClick={() => void run(() => api.updateLink(link.id, { disabled: !link.disabled }))}
      >
        {link.disabled ? words.enable : words.disable}
      </button>
      <ConfirmButton
        question={words.rotateAsk(link.title)}
        detail={words.rotateDetail}
        testId="link-rotate"
        onConfirm={() => void run(() => api.rotateLink(link.id))}
      >
        {words.rotate}
      </ConfirmButton>
      <ConfirmButton
        question={words.removeAsk(link.title)}
        detail={words.removeDetail}
        testId="link-remove"
        onConfirm={() => void run(() => api.deleteLink(link.id))}
      >
        {words.remove}
      </ConfirmButton>
      <ProblemNotice problem={submit.problem} />
    </>
  );
}
