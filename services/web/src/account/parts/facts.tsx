import type { ComponentChildren } from 'preact';

/** A list of labelled values. */
export function Facts({ children }: { children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>;
}

/** One labelled value. */
export function Fact({
  label,
  testId,
  children,
}: {
  label: string;
  testId?: string;
  children: ComponentChildren;
}) {
  return (
    <div class="facts__row">
      <dt>{label}</dt>
      <dd data-testid={testId}>
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}
