import { h, type ComponentChildren, type LooseInputHTMLAttributes } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { describedBy } from '../../../ui/described-by.ts';
import { Notice } from '../../../ui/notice.tsx';
import { useAccount } from '../../app/account-context.ts';
import type { ApiProblem } from '../../api/api-call.ts';
import { problemMessage } from '../../api/problem-message.ts';

/** The error message of a request, with the request ID for internal errors. Renders nothing without a problem. */
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

/** A form field with its label above and its hint or error message below. */
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
  /** Focuses an input that an action has added. */
  takesFocus?: boolean;
};

/** A text input without autocorrection. */
export function TextInput({
  value,
  onValue,
  type = 'text',
  autocomplete = 'off',
  isMono,
  takesFocus = false,
  ...field
}: InputProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);
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
  // With JSX, Preact's types require a literal `type`; here the caller chooses it.
  return <Field {...field}>{h('input', { ...attributes, ref: input, 'data-testid': field.id })}</Field>;
}

type SelectProps<Value extends string> = Omit<FieldProps, 'children'> & {
  value: Value;
  options: readonly (readonly [Value, string])[];
  onValue: (value: Value) => void;
};

/** A select element. */
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

/** A checkbox with its label. */
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
  /** A field failed validation in the browser. */
  hasInputError?: boolean;
  testId: string;
  children: ComponentChildren;
};

/** A form that shows a request's error message on top and moves the focus to the first invalid field. */
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

/** The submit button of a form. Uses aria-disabled while busy, since a disabled button would lose the focus. */
export function SubmitButton({ isBusy, testId, children }: SubmitButtonProps) {
  return (
    <button type="submit" class="button button--main" aria-disabled={isBusy} data-testid={testId}>
      {children}
    </button>
  );
}
