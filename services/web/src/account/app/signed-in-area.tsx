import type { MeView, ProjectSummaryView } from '@paywatch/domain/contract';
import { useEffect } from 'preact/hooks';
import { maySee } from './access.ts';
import { SignedInAccountContext, useAccount, useSignedInAccount } from './account-context.ts';
import type { AccountApi } from '../api/api.ts';
import type { ApiResult } from '../api/api-call.ts';
import { OverviewScreen } from '../screens/overview/overview-screen.tsx';
import { lazy } from '../parts/lazy.tsx';
import { LoginFrame } from '../frame/login-frame.tsx';
import { WhenLoaded } from '../parts/panel.tsx';
import { Shell } from '../frame/shell.tsx';
import type { Route } from './route.ts';
import { setupOf, type Setup } from './setup.ts';
import { UnknownScreen } from '../screens/unknown/unknown-screen.tsx';
import { useLoad } from '../api/use-load.ts';

/** Loads the account, then shows the screen of the current route. */
export function SignedInArea() {
  const account = useAccount();
  const loaded = useLoad(() => loadAccount(account.api), [account.api]);
  if (loaded.value === null) {
    return (
      <LoginFrame>
        <WhenLoaded loaded={loaded}>{() => null}</WhenLoaded>
      </LoginFrame>
    );
  }
  return (
    <SignedInAccountContext.Provider value={{ ...account, ...loaded.value, refresh: loaded.reload }}>
      <Shell>
        <CurrentScreen key={account.router.path} route={account.router.route} />
      </Shell>
    </SignedInAccountContext.Provider>
  );
}

type LoadedAccount = { me: MeView; projects: readonly ProjectSummaryView[]; setup: Setup };

async function loadAccount(api: AccountApi): Promise<ApiResult<LoadedAccount>> {
  const [me, projects, keys, invoices] = await Promise.all([
    api.getMe(),
    api.listProjects(),
    api.listApiKeys({ limit: '100' }),
    api.listInvoices({ limit: '1' }),
  ]);
  if (!me.ok) return me;
  if (!projects.ok) return projects;
  if (!invoices.ok) return invoices;
  // The role may not include the list of keys. It does not include the guided setup then, either.
  if (!keys.ok && keys.problem.code !== 'forbidden') return keys;
  const setup = setupOf(me.value, keys.ok ? keys.value.data : [], invoices.value.data.length > 0);
  return { ok: true, value: { me: me.value, projects: projects.value.data, setup } };
}

// Loaded when they are first opened: most visits never need them.
const AuditScreen = lazy(async () => (await import('../screens/audit/audit-screen.tsx')).AuditScreen);
const DonationsScreen = lazy(
  async () => (await import('../screens/donations/donations-screen.tsx')).DonationsScreen,
);
const EventScreen = lazy(async () => (await import('../screens/events/event-screen.tsx')).EventScreen);
const InvoiceScreen = lazy(
  async () => (await import('../screens/invoices/invoice-screen.tsx')).InvoiceScreen,
);
const InvoicesScreen = lazy(
  async () => (await import('../screens/invoices/invoices-screen.tsx')).InvoicesScreen,
);
const KeysScreen = lazy(async () => (await import('../screens/keys/keys-screen.tsx')).KeysScreen);
const LinksScreen = lazy(async () => (await import('../screens/links/links-screen.tsx')).LinksScreen);
const MembersScreen = lazy(async () => (await import('../screens/members/members-screen.tsx')).MembersScreen);
const NewInvoiceScreen = lazy(
  async () => (await import('../screens/new-invoice/new-invoice-screen.tsx')).NewInvoiceScreen,
);
const OperatorArea = lazy(async () => (await import('../screens/operator/operator-area.tsx')).OperatorArea);
const ProjectsScreen = lazy(
  async () => (await import('../screens/projects/projects-screen.tsx')).ProjectsScreen,
);
const SettingsScreen = lazy(
  async () => (await import('../screens/settings/settings-screen.tsx')).SettingsScreen,
);
const StartScreen = lazy(async () => (await import('../screens/start/start-screen.tsx')).StartScreen);
const WalletsScreen = lazy(async () => (await import('../screens/wallets/wallets-screen.tsx')).WalletsScreen);
const WebhooksScreen = lazy(
  async () => (await import('../screens/webhooks/webhooks-screen.tsx')).WebhooksScreen,
);

const PLAIN = {
  overview: OverviewScreen,
  invoices: InvoicesScreen,
  'new-invoice': NewInvoiceScreen,
  links: LinksScreen,
  donations: DonationsScreen,
  wallets: WalletsScreen,
  webhooks: WebhooksScreen,
  keys: KeysScreen,
  members: MembersScreen,
  projects: ProjectsScreen,
  settings: SettingsScreen,
  audit: AuditScreen,
  unknown: UnknownScreen,
  // AccountApp redirects signed-in users away from these routes.
  login: () => null,
  register: () => null,
} as const;

function CurrentScreen({ route }: { route: Route }) {
  const { me, navigate } = useSignedInAccount();
  const isVisible = maySee(me.project.role, route.screen);
  const isHome = route.screen === 'overview' || route.screen === 'start';
  // The role may have changed since a link to the screen was shown.
  useEffect(() => {
    if (!isVisible && isHome) navigate('/account/invoices', { replace: true });
  }, [isVisible, isHome]);
  if (!isVisible) return isHome ? null : <UnknownScreen />;
  // AccountApp shows it itself.
  if (route.screen === 'mail-link') return null;
  if (route.screen === 'operator')
    return me.account.is_operator ? <OperatorArea parts={route.parts} /> : <UnknownScreen />;
  if (route.screen === 'start') return <StartScreen step={route.step} />;
  if (route.screen === 'invoice') return <InvoiceScreen id={route.id} />;
  if (route.screen === 'event') return <EventScreen id={route.id} />;
  const Plain = PLAIN[route.screen];
  return <Plain />;
}
