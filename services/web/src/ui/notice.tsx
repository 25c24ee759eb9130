import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icons.tsx';

type NoticeProps = {
  tone: 'calm' | 'waiting' | 'act';
  icon?: IconName;
  testId?: string;
  children: ComponentChildren;
};

/** A message that screen readers announce: politely, or immediately where the reader must act. */
export function Notice({ tone, icon = 'alert', testId, children }: NoticeProps) {
  return (
    <p class="notice" data-tone={tone} role={tone === 'act' ? 'alert' : 'status'} data-testid={testId}>
      <Icon name={icon} />
      <span>{children}</span>
    </p>
  );
}
