import type { Currency, PublicPaymentLink } from '@paywatch/domain/contract';
import type { ComponentChildren } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import { Notice } from '../../ui/notice.tsx';
import { decimalsOf, isAboveZero, pressKey, type Key } from './keypad-amount.ts';
import { Keypad } from './keypad.tsx';
import type { PosTexts } from '../pos-en.ts';

/** What the seller typed. */
export type Charge = { readonly amount: string; readonly note: string; readonly currency: Currency };

type KeypadScreenProps = {
  link: PublicPaymentLink;
  /** Why the last sale did not start; null if nothing failed. */
  failure: string | null;
  texts: PosTexts;
  onCharge: (charge: Charge) => void;
  children?: ComponentChildren;
};

const MAX_NOTE = 80;

/** The amount, the keypad, and a button for each coin. */
export function KeypadScreen({ link, failure, texts, onCharge, children }: KeypadScreenProps) {
  const priceCurrency = link.price?.currency ?? null;
  const [amount, setAmount] = useState('');
  const [note, setNote] = useState('');
  const [isMissing, setMissing] = useState(false);
  const onKey = useCallback(
    (key: Key) => {
      setMissing(false);
      setAmount((before) => pressKey(before, key, decimalsOf(priceCurrency)));
    },
    [priceCurrency],
  );
  const charge = (currency: Currency) => {
    if (isAboveZero(amount)) onCharge({ amount, note: note.trim(), currency });
    else setMissing(true);
  };
  const message = isMissing ? texts.enterAmount : failure;
  return (
    <article class="card pos" data-testid="pos">
      <h1 class="pos__title" dir="auto">
        {link.title}
      </h1>
      <output class="pos__amount" aria-label={texts.amount} data-testid="pos-amount">
        <bdi dir="ltr">
          {(amount || '0').replace('.', texts.pointSign)} {priceCurrency}
        </bdi>
      </output>
      {message === null ? null : (
        <Notice tone="act" testId="pos-failure">
          {message}
        </Notice>
      )}
      <Keypad texts={texts} onKey={onKey} />
      <div class="pos__coins">
        {link.currencies.map((currency) => (
          <button
            key={currency}
            type="button"
            class="button button--main"
            data-testid={`charge-${currency}`}
            onClick={() => charge(currency)}
          >
            {texts.charge(currency)}
          </button>
        ))}
      </div>
      <NoteField note={note} texts={texts} onNote={setNote} />
      <noscript>{texts.needsScript}</noscript>
      {children}
    </article>
  );
}

function NoteField({
  note,
  texts,
  onNote,
}: {
  note: string;
  texts: PosTexts;
  onNote: (note: string) => void;
}) {
  return (
    <div class="field">
      <label class="label" for="note">
        {texts.note}
      </label>
      <input
        class="input"
        id="note"
        value={note}
        maxLength={MAX_NOTE}
        autocomplete="off"
        dir="auto"
        aria-describedby="note-note"
        data-testid="note"
        onInput={(event) => onNote(event.currentTarget.value)}
      />
      <p class="field__foot" id="note-note">
        {texts.noteHint}
      </p>
    </div>
  );
}
