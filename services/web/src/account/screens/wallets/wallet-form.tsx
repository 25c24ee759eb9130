import { CURRENCIES } from '@paywatch/domain/coins';
import type { WalletView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { describedBy } from '../../../ui/described-by.ts';
import type { ApiProblem } from '../../api/api-call.ts';
import { fieldError } from '../../api/problem-message.ts';
import { useSubmit } from '../../api/use-submit.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Field, Form, Select, SubmitButton, TextInput } from '../../parts/form/form.tsx';
import { useSecretGuard, type SecretGuard } from './use-secret-guard.ts';
import { EMPTY_WALLET_DRAFT, SCRIPT_TYPES, walletRequest, type WalletDraft } from './wallet-draft.ts';

/** Registers the wallet of a currency. */
export function WalletForm({ onRegistered }: { onRegistered: (wallet: WalletView) => void }) {
  const { api, texts, refresh } = useSignedInAccount();
  const [draft, setDraft] = useState(EMPTY_WALLET_DRAFT);
  const submit = useSubmit<WalletView>();
  const guard = useSecretGuard<GuardedField>();
  const register = async () => {
    const wallet = await submit.send(() => api.createWallet(walletRequest(draft)));
    if (wallet === null) return;
    // An extended public key reveals every address of the wallet: do not leave it in the form.
    setDraft(EMPTY_WALLET_DRAFT);
    await refresh();
    onRegistered(wallet);
  };
  const fields: WalletFieldsProps = {
    draft,
    guard,
    problem: submit.problem,
    onChange: (change) => setDraft((before) => ({ ...before, ...change })),
  };
  return (
    <Form
      testId="wallet-form"
      hasInputError={guard.secretIn('xpub') !== null}
      problem={submit.problem}
      onSubmit={() => void register()}
    >
      <KeyFields {...fields} />
      <AdvancedFields {...fields} />
      <SubmitButton isBusy={submit.isBusy} testId="wallet-register">
        {texts.wallets.register}
      </SubmitButton>
    </Form>
  );
}

type GuardedField = 'xpub' | 'derivation_path';

type WalletFieldsProps = {
  draft: WalletDraft;
  guard: SecretGuard<GuardedField>;
  problem: ApiProblem | null;
  onChange: (change: Partial<WalletDraft>) => void;
};

/** The warning about a pasted secret, else the API's error for the field. */
function useGuardedError({ guard, problem }: WalletFieldsProps, field: GuardedField): string | undefined {
  const { texts } = useSignedInAccount();
  const secret = guard.secretIn(field);
  return secret === null ? fieldError(problem, field, texts) : texts.wallets.secrets[secret];
}

function KeyFields(props: WalletFieldsProps) {
  const { draft, guard, onChange } = props;
  const words = useSignedInAccount().texts.wallets;
  const error = useGuardedError(props, 'xpub');
  return (
    <>
      <Select
        id="currency"
        label={words.currency}
        value={draft.currency}
        options={CURRENCIES.map((currency) => [currency, currency] as const)}
        onValue={(currency) => onChange({ currency })}
      />
      <p class="hint">{words.ownAccount}</p>
      <Field id="xpub" label={words.xpub} hint={words.xpubHint} error={error}>
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
          {...describedBy('xpub', error)}
          onInput={(event) => {
            const xpub = guard.admit('xpub', event.currentTarget.value);
            // Preact does not redraw an unchanged value, so a pasted secret would stay visible without this line.
            event.currentTarget.value = xpub;
            onChange({ xpub });
          }}
        />
      </Field>
    </>
  );
}

function AdvancedFields(props: WalletFieldsProps) {
  const { draft, guard, problem, onChange } = props;
  const { texts } = useSignedInAccount();
  const words = texts.wallets;
  return (
    <details class="more">
      <summary>{words.advanced}</summary>
      <div class="form">
        <Select
          id="script_type"
          label={words.scriptType}
          value={draft.scriptType}
          error={fieldError(problem, 'script_type', texts)}
          options={SCRIPT_TYPES.map((type) => [type, words.scriptTypes[type]] as const)}
          onValue={(scriptType) => onChange({ scriptType })}
        />
        <TextInput
          id="derivation_path"
          label={words.path}
          hint={words.pathHint}
          isOptional
          isMono
          value={draft.path}
          error={useGuardedError(props, 'derivation_path')}
          onValue={(path) => onChange({ path: guard.admit('derivation_path', path) })}
        />
        <TextInput
          id="gap_limit"
          label={words.gapLimit}
          hint={words.gapHint}
          isOptional
          type="number"
          value={draft.gapLimit}
          error={fieldError(problem, 'gap_limit', texts)}
          onValue={(gapLimit) => onChange({ gapLimit })}
        />
      </div>
    </details>
  );
}
