import type { DoneView } from '@paywatch/domain/contract';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../ui/icons.tsx';
import { LanguageLinks } from '../../ui/language-links.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useSubmit } from '../api/use-submit.ts';
import { useSignedInAccount } from '../app/account-context.ts';
import { maySee } from '../app/access.ts';
import { countDone } from '../app/setup.ts';
import { START_STEPS, type Route } from '../app/route.ts';
import { subscriptionState } from '../screens/settings/subscription.ts';
import { dayText } from '../app/day-text.ts';
import { ProblemNotice } from '../parts/form/form.tsx';
import { lazy } from '../parts/lazy.tsx';
import { Brand } from './brand.tsx';

/** The layout of the screens behind the login: navigation, subscription notice, content. */
export function Shell({ children }: { children: ComponentChildren }) {
  const { texts, language, isProjectLost } = useSignedInAccount();
  return (
    <div class="shell">
      <a class="skip" href="#content">
        {texts.nav.skip}
      </a>
      <Sidebar />
      <main class="shell__main" id="content" tabIndex={-1}>
        {isProjectLost ? <ProjectLost /> : null}
        <SubscriptionNotice />
        <WalletChanges />
        {children}
      </main>
      <LanguageLinks language={language} />
    </div>
  );
}

/** Logo and navigation. On a phone a button opens the navigation, and following a link closes it. */
function Sidebar() {
  const { texts, router } = useSignedInAccount();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    setOpen(false);
    // The focused link becomes invisible; the new screen moves the focus on to its heading.
    button.current?.focus();
  }, [router.visit]);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !isOpen) return;
    setOpen(false);
    button.current?.focus();
  };
  return (
    <header class="shell__side" data-open={isOpen} onKeyDown={onKeyDown}>
      <Brand />
      <CurrentProject />
      <button
        type="button"
        class="button button--small nav-button"
        ref={button}
        aria-expanded={isOpen}
        aria-controls="navigation"
        data-testid="menu"
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="menu" />
        {texts.nav.menu}
      </button>
      <Navigation current={router.route} />
    </header>
  );
}

const LINKS = [
  ['overview', '/account'],
  ['invoices', '/account/invoices'],
  ['links', '/account/links'],
  ['donations', '/account/donations'],
  ['wallets', '/account/wallets'],
  ['webhooks', '/account/webhooks'],
  ['keys', '/account/keys'],
  ['members', '/account/members'],
  ['account', '/account/settings'],
] as const;

const ACCOUNT_SCREENS: readonly Route['screen'][] = ['settings', 'audit', 'projects'];

/** The navigation item that a route belongs to. */
function sectionOf({ screen }: Route): string {
  if (screen === 'invoice' || screen === 'new-invoice') return 'invoices';
  if (screen === 'event') return 'webhooks';
  return ACCOUNT_SCREENS.includes(screen) ? 'account' : screen;
}

function Navigation({ current }: { current: Route }) {
  const { texts, setup, me } = useSignedInAccount();
  const { role } = me.project;
  const done = countDone(setup);
  const section = sectionOf(current);
  return (
    <nav class="nav" id="navigation" aria-label={texts.nav.label}>
      <ul class="nav__list">
        {done === START_STEPS.length || !maySee(role, 'start') ? null : (
          <NavItem
            href="/account/start"
            isCurrent={section === 'start'}
            label={texts.nav.start}
            testId="nav-start"
          >
            <span class="nav__count">{`${done}/${START_STEPS.length}`}</span>
          </NavItem>
        )}
        {LINKS.filter(([name]) => maySee(role, name === 'account' ? 'settings' : name)).map(
          ([name, href]) => (
            <NavItem
              key={name}
              href={href}
              isCurrent={section === name}
              label={texts.nav[name]}
              testId={`nav-${name}`}
            />
          ),
        )}
        {me.account.is_operator ? (
          <NavItem
            href="/account/operator"
            isCurrent={section === 'operator'}
            label={texts.nav.operator}
            testId="nav-operator"
          />
        ) : null}
        <li>
          <a class="nav__link" href="/docs" target="_blank" rel="noreferrer">
            {texts.nav.docs}
          </a>
        </li>
        <Logout />
      </ul>
    </nav>
  );
}

/** Only the API can delete the cookie, so without its response the session stays open, and the user must know. */
function Logout() {
  const { texts, api, endSession } = useSignedInAccount();
  const submit = useSubmit<DoneView>();
  const logout = async () => {
    if ((await submit.send(api.logout)) !== null) endSession('loggedOut');
  };
  return (
    <li>
      <button type="button" class="nav__link" data-testid="logout" onClick={() => void logout()}>
        {texts.nav.logout}
      </button>
      <ProblemNotice problem={submit.problem} />
    </li>
  );
}

type NavItemProps = {
  href: string;
  isCurrent: boolean;
  label: string;
  testId: string;
  children?: ComponentChildren;
};

function NavItem({ href, isCurrent, label, testId, children }: NavItemProps) {
  return (
    <li>
      <a
        class="nav__link"
        href={href}
        data-testid={testId}
        {...(isCurrent ? { 'aria-current': 'page' } : {})}
      >
        {label}
        {children}
      </a>
    </li>
  );
}

/** Few visits see it, so its script and texts are loaded only then. */
const ProjectLost = lazy(async () => (await import('../screens/projects/project-lost.tsx')).ProjectLost);

/** The name of the project of this tab, with a link to the others; nothing if there is only one. */
function CurrentProject() {
  const { texts, projects, me } = useSignedInAccount();
  if (projects.length < 2) return null;
  return (
    <a class="nav__project" href="/account/projects" dir="auto" data-testid="current-project">
      {me.project.name ?? texts.nav.unnamed}
    </a>
  );
}

/** Few visits see one, so its script and texts are loaded only then. It stays loaded to confirm a cancellation. */
const PendingChanges = lazy(
  async () => (await import('../screens/wallets/changes/pending-changes.tsx')).PendingChanges,
);

function WalletChanges() {
  const { wallets, wallet_change_delay: delay } = useSignedInAccount().me.project;
  const isPending = delay.next_at !== null || wallets.some(({ verified, serving }) => verified && !serving);
  const wasPending = useRef(false);
  wasPending.current ||= isPending;
  return wasPending.current ? <PendingChanges /> : null;
}

function SubscriptionNotice() {
  const { texts, me, language } = useSignedInAccount();
  const { subscription } = me.project;
  const state = subscriptionState(subscription, Date.now());
  if (state === 'active') return null;
  const until = subscription.active_until === null ? '' : dayText(subscription.active_until, language);
  return (
    <Notice tone={state === 'inactive' ? 'act' : 'waiting'} testId="subscription-notice">
      {state === 'inactive' ? texts.subscription.inactive : texts.subscription.ending(until)}
    </Notice>
  );
}
