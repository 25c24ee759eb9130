import type {
  CancelledWalletChangesView,
  ProjectView,
  WalletChangeDelayView,
  WalletStateView,
} from '@paywatch/domain/contract';
import { useEffect, useState } from 'preact/hooks';
import { AddressText } from '../../../../ui/address-text.tsx';
import { Icon } from '../../../../ui/icons.tsx';
import { Moment } from '../../../../ui/moment.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { useSubmit } from '../../../api/use-submit.ts';
import { useSignedInAccount } from '../../../app/account-context.ts';
import { ProblemNotice } from '../../../parts/form/form.tsx';
import { Result } from '../../../parts/form/result.tsx';
import { May } from '../../../parts/may.tsx';
import { CHANGES_TEXTS } from './changes-texts.ts';
import { durationText } from './duration-text.ts';

/** What became of a change. Kept here, because the change itself disappears. */
type Outcome = { isCancelled: boolean; text: string };
type OnEnd = (outcome: Outcome) => void;

/** The changes of wallets that wait, on every screen of the account area, each with a button that cancels it. */
export function PendingChanges() {
  const { me } = useSignedInAccount();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { wallets, wallet_change_delay: delay } = me.project;
  return (
    <>
      {outcome === null ? null : (
        <Result key={outcome.text}>
          {outcome.isCancelled ? (
            <Notice tone="calm" icon="check" testId="change-cancelled">
              {outcome.text}
            </Notice>
          ) : (
            <Notice tone="act" testId="too-late">
              {outcome.text}
            </Notice>
          )}
        </Result>
      )}
      {wallets.filter(isPending).map((wallet) => (
        <PendingWallet key={wallet.currency} wallet={wallet} onEnd={setOutcome} />
      ))}
      {delay.next_at === null ? null : <PendingDelay delay={delay} at={delay.next_at} onEnd={setOutcome} />}
    </>
  );
}

function isPending({ verified, serving }: WalletStateView): boolean {
  return verified && !serving;
}

function PendingWallet({ wallet, onEnd }: { wallet: WalletStateView; onEnd: OnEnd }) {
  const { api, language, refresh } = useSignedInAccount();
  const submit = useSubmit<CancelledWalletChangesView>();
  const words = CHANGES_TEXTS[language];
  const { currency, effective_at: at, verification_address: address } = wallet;
  const isTooLate = submit.problem?.code === 'wallet_change_not_found';
  useEffect(() => {
    if (!isTooLate) return;
    onEnd({ isCancelled: false, text: words.tooLate(currency) });
    void refresh();
  }, [isTooLate]);
  const cancel = async () => {
    const result = await submit.send(() => api.cancelWalletChange(currency));
    if (result === null) return;
    onEnd({ isCancelled: true, text: words.cancelled(currency) });
    await refresh();
  };
  return (
    <section class="change" data-testid={`pending-change-${currency}`} aria-live="polite">
      <p class="change__title">
        <Icon name="alert" />
        <strong>{words.wallet(currency)}</strong>
      </p>
      <p>
        {words.until} {at === null ? null : <Moment at={at} language={language} />}.
      </p>
      <p>
        {words.address}: <AddressText address={address} />
      </p>
      <p>{words.notYou}</p>
      <ProblemNotice problem={submit.problem} />
      <May call="cancelWalletChange">
        <button
          type="button"
          class="button button--main"
          disabled={submit.isBusy}
          data-testid={`cancel-change-${currency}`}
          onClick={() => void cancel()}
        >
          {words.cancel}
        </button>
      </May>
    </section>
  );
}

type PendingDelayProps = { delay: WalletChangeDelayView; at: string; onEnd: OnEnd };

function PendingDelay({ delay, at, onEnd }: PendingDelayProps) {
  const { api, language, refresh } = useSignedInAccount();
  const submit = useSubmit<ProjectView>();
  const words = CHANGES_TEXTS[language];
  const keep = async () => {
    if ((await submit.send(() => api.updateWalletChangeDelay(delay.seconds))) === null) return;
    onEnd({ isCancelled: true, text: words.kept });
    await refresh();
  };
  return (
    <section class="change" data-testid="pending-delay" aria-live="polite">
      <p class="change__title">
        <Icon name="alert" />
        <strong>
          {words.shorter(durationText(delay.next_seconds ?? 0, language))}{' '}
          <Moment at={at} language={language} />.
        </strong>
      </p>
      <p>{words.notYou}</p>
      <ProblemNotice problem={submit.problem} />
      <May call="updateWalletChangeDelay">
        <button
          type="button"
          class="button button--main"
          disabled={submit.isBusy}
          data-testid="keep-delay"
          onClick={() => void keep()}
        >
          {words.keep}
        </button>
      </May>
    </section>
  );
}
