import type { PurchaseView, SubscriptionOffer } from '@paywatch/domain/contract';
import { coinText } from '../../../money/amounts.ts';
import { isolated } from '../../../ui/isolated.ts';
import { Moment, utcText } from '../../../ui/moment.tsx';
import { useSignedInAccount } from '../../app/account-context.ts';
import { dayText } from '../../app/day-text.ts';
import { Badge } from '../../parts/badge.tsx';
import { ProblemNotice } from '../../parts/form/form.tsx';
import { May } from '../../parts/may.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';
import { purchaseState, subscriptionState } from './subscription.ts';
import { useLoad } from '../../api/use-load.ts';
import { useSubmit } from '../../api/use-submit.ts';

/** The state of the subscription, with the offer and purchases where the operator sells it. */
export function SubscriptionPanel() {
  const { api, texts, me, language } = useSignedInAccount();
  const { subscription } = me.project;
  const sold = useLoad(() => api.getSubscription(), [api]);
  const { active_until: until } = subscription;
  const isActive = subscriptionState(subscription, Date.now()) !== 'inactive';
  const active =
    until === null ? texts.subscription.activeForever : texts.subscription.active(dayText(until, language));
  const offer = sold.value?.offer ?? null;
  const purchases = sold.value?.purchases ?? [];
  return (
    <Panel title={texts.subscription.heading}>
      <p data-testid="subscription" title={until === null ? undefined : utcText(until)}>
        {isActive ? active : texts.subscription.inactive}
      </p>
      {offer === null ? null : (
        <May call="createPurchase">
          <OfferButtons offer={offer} />
        </May>
      )}
      {purchases.length === 0 ? null : <PurchaseTable purchases={purchases} />}
    </Panel>
  );
}

/** One button per price; each creates a purchase and opens its payment page. */
function OfferButtons({ offer: { days, prices } }: { offer: SubscriptionOffer }) {
  const { api, texts } = useSignedInAccount();
  const submit = useSubmit<PurchaseView>();
  const buy = async (currency: PurchaseView['currency']) => {
    const purchase = await submit.send(() => api.createPurchase(currency));
    if (purchase !== null) location.assign(purchase.pay_url);
  };
  return (
    <div class="stack" data-testid="subscription-offer">
      <ProblemNotice problem={submit.problem} />
      <p class="quiet">{texts.purchases.offer(days)}</p>
      <div class="buttons">
        {prices.map(({ currency, amount }) => (
          <button
            key={currency}
            type="button"
            class="button"
            aria-disabled={submit.isBusy}
            data-testid={`buy-${currency}`}
            onClick={() => void buy(currency)}
          >
            {texts.purchases.pay(isolated(coinText(amount, currency)))}
          </button>
        ))}
      </div>
    </div>
  );
}

const TONES = { open: 'calm', seen: 'waiting', extended: 'done', ended: 'calm', undecided: 'act' } as const;

function PurchaseTable({ purchases }: { purchases: readonly PurchaseView[] }) {
  const { texts, language } = useSignedInAccount();
  const { heading, columns, states } = texts.purchases;
  return (
    <Table
      label={heading}
      testId="purchase-table"
      rows={purchases}
      keyOf={({ public_id: id }) => id}
      columns={[
        [columns.at, (purchase) => <Moment at={purchase.created_at} language={language} />],
        [
          columns.price,
          (purchase) => (
            <a class="link" href={purchase.pay_url}>
              <bdi dir="ltr">{coinText(purchase.amount, purchase.currency)}</bdi>
            </a>
          ),
        ],
        [columns.days, (purchase) => String(purchase.days)],
        [
          columns.state,
          (purchase) => {
            const state = purchaseState(purchase, Date.now());
            return <Badge tone={TONES[state]}>{states[state]}</Badge>;
          },
        ],
      ]}
    />
  );
}
