import type { WalletStateView, WalletView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { AddressText } from '../../../ui/address-text.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Form, SubmitButton, TextInput } from '../../parts/form/form.tsx';
import { Result } from '../../parts/form/result.tsx';
import { fieldError } from '../../api/problem-message.ts';
import { useSecretGuard } from './use-secret-guard.ts';
import { useSubmit } from '../../api/use-submit.ts';

type VerifyWalletProps = {
  wallet: Pick<WalletStateView, 'currency' | 'verification_address'>;
  onVerified?: () => void;
};

/**
 * Asks for an address from the owner's wallet. The address that Paywatch derived is shown only after a mismatch: copied from this page,
 * it would prove nothing about the wallet.
 */
export function VerifyWallet({ wallet, onVerified }: VerifyWalletProps) {
  const { api, texts, refresh } = useSignedInAccount();
  const [address, setAddress] = useState('');
  const submit = useSubmit<WalletView>();
  const words = texts.wallets;
  const guard = useSecretGuard<'address'>();
  const secret = guard.secretIn('address');
  const verify = async () => {
    if ((await submit.send(() => api.verifyWallet(wallet.currency, address.trim()))) === null) return;
    onVerified?.();
    await refresh();
  };
  if (submit.value !== null) {
    return (
      <Result>
        <Notice tone="calm" icon="check" testId="verified">
          {submit.value.serving ? words.active(wallet.currency) : words.scheduled(wallet.currency)}{' '}
          {submit.value.notice}
        </Notice>
      </Result>
    );
  }
  return (
    <div class="verify" data-testid={`verify-${wallet.currency}`}>
      <p>{words.verifyWhy}</p>
      <Form testId="verify-form" problem={submit.problem} onSubmit={() => void verify()}>
        <TextInput
          id="own-address"
          label={words.paste}
          hint={words.pasteHint}
          isMono
          value={address}
          error={secret === null ? fieldError(submit.problem, 'address', texts) : words.secrets[secret]}
          onValue={(text) => setAddress(guard.admit('address', text))}
        />
        <SubmitButton isBusy={submit.isBusy} testId="verify-submit">
          {words.verifyButton}
        </SubmitButton>
      </Form>
      {submit.problem?.code === 'address_mismatch' ? <Comparison wallet={wallet} /> : null}
    </div>
  );
}

/** Helps to find out what is wrong after an address did not match. */
function Comparison({ wallet }: Pick<VerifyWalletProps, 'wallet'>) {
  const words = useSignedInAccount().texts.wallets;
  return (
    <>
      <p>{words.compare}</p>
      <p class="verify__address" data-testid="verification-address">
        <AddressText address={wallet.verification_address} />
      </p>
      <p class="quiet">{words.compareWhy}</p>
    </>
  );
}
