import { h, type ComponentChildren, type LooseInputHTMLAttributes } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { describedBy } from '../../ui/described-by.ts';
import { Notice } from '../../ui/notice.tsx';
import { useAccount } from '../app/account-context.ts';
import type { ApiProblem } from '../api/api-call.ts';
import { problemMessage } from '../api/problem-message.ts';

/** Says what went wrong with a request, with the number to quote. Nothing where all is well. */
export function ProblemNotice({ problem }: { problem: ApiProblem | null }) {
  const { texts } = useAccount();
  if (problem === null) return null;
  const isOurs = problem.code === 'internal_error' && problem.requestId !== null;
  return (
    <Notice tone="act" testId="problem">
      {problemMessage(problem, texts)}
      {isOurs ? ` ${texts.common.request(problem.requestId ?? '')}` : ''}
    </Notice>
  );
}

type FieldProps = {
  id: string;
  label: string;
  hint?: string;
  error?: string | undefined;
  isOptional?: boolean;
  children: ComponentChildren;
};

/** A field with its label above and, below, what to know of it or what is wrong with it. */
export function Field({ id, label, hint, error, isOptional = false, children }: FieldProps) {
  const { texts } = useAccount();
  return (
    <div class="field">
      <label class="label" for={id}>
        {label} {isOptional ? <span class="label__note">({texts.common.optional})</span> : null}
      </label>
      {children}
      <p class="field__foot" id={`${id}-note`}>
        {error === undefined ? null : (
          <span class="field-error" data-testid={`${id}-error`}>
            {error}
          </span>
        )}
        {hint === undefined ? null : <span>{hint}</span>}
      </p>
    </div>
  );
}

type InputProps = Omit<FieldProps, 'children'> & {
  value: string;
  onValue: (value: string) => void;
  type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'date';
  autocomplete?: string;
  isMono?: boolean;
};

/** A line of text. Autocorrection is off where the text is no prose. */
export function TextInput({
  value,
  onValue,
  type = 'text',
  autocomplete = 'off',
  isMono,
  ...field
}: InputProps) {
  const attributes: LooseInputHTMLAttributes = {
    class: isMono === true ? 'input mono' : 'input',
    id: field.id,
    name: field.id,
    type,
    value,
    autocomplete,
    autocapitalize: 'none',
    spellcheck: false,
    dir: isMono === true ? 'ltr' : 'auto',
    ...describedBy(field.id, field.error),
    onInput: (event) => onValue(event.currentTarget.value),
  };
  // JSX wants to know the type of an input where it is written; this one is chosen by its callers.
  return <Field {...field}>{h('input', { ...attributes, 'data-testid': field.id })}</Field>;
}

type SelectProps<Value extends string> = Omit<FieldProps, 'children'> & {
  value: Value;
  options: readonly (readonly [Value, string])[];
  onValue: (value: Value) => void;
};

/** A choice of one. */
export function Select<Value extends string>({ value, options, onValue, ...field }: SelectProps<Value>) {
  return (
    <Field {...field}>
      <select
        class="input"
        id={field.id}
        name={field.id}
        value={value}
        data-testid={field.id}
        {...describedBy(field.id, field.error)}
        onChange={(event) => {
          const chosen = options.find(([option]) => option === event.currentTarget.value);
          if (chosen !== undefined) onValue(chosen[0]);
        }}
      >
        {options.map(([option, label]) => (
          <option key={option} value={option} selected={option === value}>
            {label}
          </option>
        ))}
      </select>
    </Field>
  );
}

type CheckboxProps = { id: string; label: string; isChecked: boolean; onValue: (isChecked: boolean) => void };

/** A yes or no. */
export function Checkbox({ id, label, isChecked, onValue }: CheckboxProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        id={id}
        name={id}
        checked={isChecked}
        data-testid={id}
        onChange={(event) => onValue(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

type FormProps = {
  onSubmit: () => void;
  problem?: ApiProblem | null;
  /** Something that was typed cannot be sent, found here. */
  hasInputError?: boolean;
  testId: string;
  children: ComponentChildren;
};

/** A form that stays on its page; what went wrong stands on top of it, and the first field that it is about has the focus. */
export function Form({ onSubmit, problem = null, hasInputError = false, testId, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (problem !== null || hasInputError)
      form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [problem, hasInputError]);
  return (
    <form
      class="form"
      ref={form}
      noValidate
      data-testid={testId}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <ProblemNotice problem={problem} />
      {children}
    </form>
  );
}

type SubmitButtonProps = { isBusy: boolean; testId: string; children: ComponentChildren };

/** The one main button of a form. While it is busy it stays a button: a disabled one would lose the focus. */
export function SubmitButton({ isBusy, testId, children }: SubmitButtonProps) {
  return (
    <button type="submit" class="button button--main" aria-disabled={isBusy} data-testid={testId}>
      {children}
    </button>
  );
}
