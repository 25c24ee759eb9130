import type { WalletChangeView, WalletStateView, WalletView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { AddressText } from '../../../ui/address-text.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Badge } from '../../parts/badge.tsx';
import { Fact, Facts } from '../../parts/facts.tsx';
import { GapBar } from '../../parts/gap-bar.tsx';
import { lazy } from '../../parts/lazy.tsx';
import { May, useMayCall } from '../../parts/may.tsx';
import { Empty, Panel, Screen } from '../../parts/panel.tsx';
import { GapLimitForm } from './gap-limit-form.tsx';
import { UnassignedPanel } from './unassigned-panel.tsx';
import { VerifyWallet } from './verify-wallet.tsx';
import { WalletForm } from './wallet-form.tsx';
import type { WalletsTexts } from './wallets-en.ts';

const DelayPanel = lazy(async () => (await import('./changes/delay-panel.tsx')).DelayPanel);

/** The wallets with their verification and address pools, the form for a new one, and the change history. */
export function WalletsScreen() {
  const { texts, me, language } = useSignedInAccount();
  const { wallets, wallet_changes: changes } = me.project;
  const [added, setAdded] = useState<WalletView | null>(null);
  const words = texts.wallets;
  const mayAdd = useMayCall('createWallet');
  return (
    <Screen title={words.heading} testId="wallets">
      {wallets.length === 0 ? <Empty>{mayAdd ? words.empty : texts.overview.gapNone}</Empty> : null}
      {wallets.map((wallet) => (
        <WalletPanel
          key={`${wallet.currency}:${wallet.verification_address}:${wallet.serving}`}
          wallet={wallet}
          isNew={wallet.verification_address === added?.verification_address}
        />
      ))}
      {wallets.length === 0 ? null : <UnassignedPanel />}
      <May call="createWallet">
        <Panel title={words.add}>
          {wallets.length === 0 ? null : <p class="quiet">{words.replace}</p>}
          <WalletForm onRegistered={setAdded} />
        </Panel>
        {wallets.some(({ serving }) => serving) ? <DelayPanel /> : null}
      </May>
      {changes.length === 0 ? null : (
        <Panel title={words.changes}>
          <ul class="lines" data-testid="wallet-changes">
            {changes.map((change) => (
              <li key={`${change.at}:${change.action}`} class="lines__line">
                <span>
                  <strong>{change.currency}</strong> {actionText(change, words)}, {actorText(change, words)}
                </span>
                <Moment at={change.at} language={language} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </Screen>
  );
}

function actionText({ action, gap_limit: limit = 0 }: WalletChangeView, words: WalletsTexts): string {
  return action === 'gap_limit_changed' ? words.gapLimitSet(limit) : words.actions[action];
}

function actorText({ actor }: WalletChangeView, words: WalletsTexts): string {
  if (actor === 'session') return words.bySession;
  if (actor === 'watcher') return words.bySystem;
  return actor === 'operator' ? words.byOperator : words.byKey(actor);
}

function WalletPanel({ wallet, isNew }: { wallet: WalletStateView; isNew: boolean }) {
  const { texts } = useSignedInAccount();
  const words = texts.wallets;
  const state = (
    <Badge tone={wallet.serving ? 'done' : 'waiting'} testId={`wallet-state-${wallet.currency}`}>
      {wallet.serving ? words.verified : wallet.verified ? words.waiting : words.unverified}
    </Badge>
  );
  return (
    <Panel title={wallet.currency} actions={state} takesFocus={isNew} testId={`wallet-${wallet.currency}`}>
      {wallet.verified ? (
        <VerifiedWallet wallet={wallet} />
      ) : (
        <May call="createWallet">
          <VerifyWallet wallet={wallet} />
        </May>
      )}
    </Panel>
  );
}

/** A wallet that serves, or will. The gap limit that can be changed is the one of the wallet that serves. */
function VerifiedWallet({ wallet }: { wallet: WalletStateView }) {
  const { texts } = useSignedInAccount();
  const words = texts.wallets;
  return (
    <>
      {wallet.serving ? (
        <>
          <GapBar wallet={wallet} />
          <May call="updateWallet">
            <GapLimitForm wallet={wallet} />
          </May>
        </>
      ) : null}
      <Facts>
        <Fact label={words.scriptType}>{words.scriptTypes[wallet.script_type]}</Fact>
        {wallet.derivation_path === null ? null : (
          <Fact label={words.path}>
            <code dir="ltr">{wallet.derivation_path}</code>
          </Fact>
        )}
        <Fact label={words.address}>
          <AddressText address={wallet.verification_address} />
        </Fact>
        <Fact label={words.index}>{wallet.next_index}</Fact>
      </Facts>
    </>
  );
}
