import type { CreateWalletInput, Currency, ScriptType, WalletView } from '@paywatch/domain/contract';
import { CURRENCIES } from '@paywatch/domain/coins';
import { useState } from 'preact/hooks';
import { useKnownAccount } from '../../app/account-context.ts';
import { Field, Form, Select, SubmitButton, TextInput } from '../../parts/form.tsx';
import { describedBy } from '../../../ui/described-by.ts';
import { faultOf } from '../../api/problem-words.ts';
import { useSecretGuard } from './use-secret-guard.ts';
import { useSubmit } from '../../api/use-submit.ts';

type WalletDraft = {
  currency: Currency;
  xpub: string;
  scriptType: ScriptType | 'auto';
  path: string;
  gapLimit: string;
};

const EMPTY: WalletDraft = { currency: 'BTC', xpub: '', scriptType: 'auto', path: '', gapLimit: '' };

/** Registers the wallet of a currency. */
export function WalletForm({ onRegistered }: { onRegistered: (wallet: WalletView) => void }) {
  const { api, texts, refresh } = useKnownAccount();
  const [draft, setDraft] = useState(EMPTY);
  const submit = useSubmit<WalletView>();
  const set = (change: Partial<WalletDraft>) => setDraft((before) => ({ ...before, ...change }));
  const register = async () => {
    const wallet = await submit.send(() => api.createWallet(requestOf(draft)));
    if (wallet === null) return;
    // An extended public key shows every address there will be: it is not left lying in the form.
    setDraft(EMPTY);
    await refresh();
    onRegistered(wallet);
  };
  const words = texts.wallets;
  const guard = useSecretGuard<'xpub' | 'derivation_path'>();
  const faultIn = (field: 'xpub' | 'derivation_path') => {
    const secret = guard.secretIn(field);
    return secret === null ? faultOf(submit.problem, field, texts) : words.secrets[secret];
  };
  return (
    <Form
      testId="wallet-form"
      isFaulty={guard.secretIn('xpub') !== null}
      problem={submit.problem}
      onSubmit={() => void register()}
    >
      <Select
        id="currency"
        label={words.currency}
        value={draft.currency}
        options={CURRENCIES.map((currency) => [currency, currency] as const)}
        onValue={(currency) => set({ currency })}
      />
      <p class="hint">{words.ownAccount}</p>
      <Field id="xpub" label={words.xpub} hint={words.xpubHint} fault={faultIn('xpub')}>
        <textarea
          class="input mono"
          id="xpub"
          name="xpub"
          rows={3}
          value={draft.xpub}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="none"
          dir="ltr"
          data-testid="xpub"
          {...describedBy('xpub', faultIn('xpub'))}
          onInput={(event) => {
            const xpub = guard.admit('xpub', event.currentTarget.value);
            // At once: a value that the state had before is not drawn again.
            event.currentTarget.value = xpub;
            set({ xpub });
          }}
        />
      </Field>
      <details class="more">
        <summary>{words.advanced}</summary>
        <div class="form">
          <Select
            id="script_type"
            label={words.scriptType}
            value={draft.scriptType}
            fault={faultOf(submit.problem, 'script_type', texts)}
            options={SCRIPT_CHOICES.map((choice) => [choice, words.scriptTypes[choice]] as const)}
            onValue={(scriptType) => set({ scriptType })}
          />
          <TextInput
            id="derivation_path"
            label={words.path}
            hint={words.pathHint}
            isOptional
            isMono
            value={draft.path}
            fault={faultIn('derivation_path')}
            onValue={(path) => set({ path: guard.admit('derivation_path', path) })}
          />
          <TextInput
            id="gap_limit"
            label={words.gapLimit}
            hint={words.gapHint}
            isOptional
            type="number"
            value={draft.gapLimit}
            fault={faultOf(submit.problem, 'gap_limit', texts)}
            onValue={(gapLimit) => set({ gapLimit })}
          />
        </div>
      </details>
      <SubmitButton isBusy={submit.isBusy} testId="wallet-register">
        {words.register}
      </SubmitButton>
    </Form>
  );
}

const SCRIPT_CHOICES = ['auto', 'p2wpkh', 'p2sh_p2wpkh', 'p2pkh'] as const;

function requestOf({ currency, xpub, scriptType, path, gapLimit }: WalletDraft): CreateWalletInput {
  return {
    currency,
    xpub,
    ...(scriptType === 'auto' ? {} : { script_type: scriptType }),
    ...(path.trim() === '' ? {} : { derivation_path: path.trim() }),
    ...(gapLimit.trim() === '' ? {} : { gap_limit: Number(gapLimit) }),
  };
}
