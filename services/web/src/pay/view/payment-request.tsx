import type { PublicInvoiceView } from '@paywatch/domain/contract';
import { formatCoins } from '@paywatch/domain/money';
import { coinDigits, unitText } from '../../money/digits.ts';
import { priceText } from '../../money/fiat.ts';
import type { Language } from '../../ui/language.ts';
import type { PayTexts } from '../texts/pay-en.ts';
import { AddressText } from '../../ui/address-text.tsx';
import { CopyButton, CopyControl } from '../../ui/copy-button.tsx';
import { useCopy } from '../../ui/copy.ts';
import { Icon } from '../../ui/icons.tsx';
import { QrCode } from '../../ui/qr-code.tsx';

type PaymentRequestProps = {
  invoice: PublicInvoiceView;
  /** Part was paid; the amount shown is the rest. */
  isRemainder: boolean;
  language: Language;
  texts: PayTexts;
};

/** The payment request: amount, QR code, address and wallet link. */
export function PaymentRequest({ invoice, isRemainder, language, texts }: PaymentRequestProps) {
  const uri = invoice.payment_uri ?? '';
  return (
    <>
      <AmountDue invoice={invoice} isRemainder={isRemainder} language={language} texts={texts} />
      <div class="qr-frame">
        <QrCode text={uri} label={texts.qr} />
      </div>
      <AddressLine address={invoice.address} texts={texts} />
      <a class="button button--main" href={uri} data-testid="open-wallet">
        <Icon name="wallet" />
        {texts.openWallet}
      </a>
    </>
  );
}

function AmountDue({ invoice, isRemainder, language, texts }: PaymentRequestProps) {
  const { due_amount: due, currency } = invoice;
  if (due === null) {
    return (
      <div class="amount" data-testid="amount-due">
        <p class="amount__coins">{texts.anyAmount}</p>
        <p class="amount__units">{texts.anyAmountHint}</p>
      </div>
    );
  }
  const { significant, zeros } = coinDigits(due);
  return (
    <div class="amount">
      <p class="visually-hidden">{isRemainder ? texts.restDue : texts.amountDue}</p>
      <p class="amount__coins" data-testid="amount-due">
        <bdi dir="ltr" translate={false}>
          <span>{significant}</span>
          <span class="amount__zeros">{zeros}</span> {currency}
        </bdi>
        <CopyButton
          text={formatCoins(BigInt(due))}
          label={texts.copyAmount}
          copiedLabel={texts.copied}
          testId="copy-amount"
        />
      </p>
      <p class="amount__units">
        <bdi dir="ltr">{unitText(due, currency, language)}</bdi>
      </p>
      {invoice.price === null || isRemainder ? null : (
        <p class="amount__price" data-testid="price">
          <bdi dir="ltr">{priceText(invoice.price, language)}</bdi>
        </p>
      )}
    </div>
  );
}

/** The address with a copy button; a tap on the address copies it too. */
function AddressLine({ address, texts }: { address: string; texts: PayTexts }) {
  const { copied, copy } = useCopy();
  return (
    <div class="address-line" data-copied={copied !== null}>
      <AddressText address={address} onClick={() => copy(address)} />
      <CopyControl
        label={texts.copyAddress}
        copiedLabel={texts.copied}
        testId="copy-address"
        isCopied={copied !== null}
        onClick={() => copy(address)}
      />
    </div>
  );
}
