import { COINS } from '@paywatch/domain/coins';
import type { Currency } from '@paywatch/domain/contract';
import { parseCoins } from '@paywatch/domain/money';
import { useState } from 'preact/hooks';
import { Notice } from '../ui/notice.tsx';
import type { PartProps } from './control-app.tsx';

const CURRENCIES = Object.keys(COINS) as Currency[];

/** Shows a test alert with an amount of choice, for example of a tier. */
export function TestForm({ calls, run, texts }: PartProps) {
  const [amount, setAmount] = useState('0.001');
  const [currency, setCurrency] = useState<Currency>('BTC');
  const [state, setState] = useState<'editing' | 'sent' | 'invalid'>('editing');
  const send = async () => {
    const parsed = parseCoins(amount.trim().replace(',', '.'), currency);
    if (!parsed.ok) return setState('invalid');
    const isSent = await run(calls.act({ action: 'test', currency, amount: String(parsed.value) }));
    setState(isSent ? 'sent' : 'editing');
  };
  return (
    <section class="part" aria-labelledby="test" data-testid="test">
      <h2 id="test">{texts.testAlert}</h2>
      <form
        class="test-form"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <div class="field">
          <label class="label" for="amount">
            {texts.amount}
          </label>
          <input
            id="amount"
            class="input"
            inputMode="decimal"
            autocomplete="off"
            value={amount}
            aria-invalid={state === 'invalid'}
            aria-describedby={state === 'invalid' ? 'amount-error' : undefined}
            onInput={(event) => {
              setAmount(event.currentTarget.value);
              setState('editing');
            }}
          />
        </div>
        <div class="field">
          <label class="label" for="currency">
            {texts.currency}
          </label>
          <select
            id="currency"
            class="input"
            value={currency}
            onChange={(event) => setCurrency(event.currentTarget.value as Currency)}
          >
            {CURRENCIES.map((coin) => (
              <option key={coin}>{coin}</option>
            ))}
          </select>
        </div>
        <button type="submit" class="button" data-shortcut="send" data-testid="send-test">
          {texts.send}
        </button>
      </form>
      {state === 'invalid' ? (
        <p class="field-error" id="amount-error" role="alert">
          {texts.invalidAmount}
        </p>
      ) : null}
      {state === 'sent' ? (
        <Notice tone="calm" icon="check" testId="test-sent">
          {texts.sent}
        </Notice>
      ) : null}
    </section>
  );
}
