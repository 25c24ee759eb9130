import type { MeView } from '@paywatch/domain/contract';
import { KnownAccountContext, useAccount } from './account-context.ts';
import type { AccountApi } from './api.ts';
import type { ApiResult } from './api-call.ts';
import { DonationsScreen } from './donations-screen.tsx';
import { EventScreen } from './event-screen.tsx';
import { InvoiceScreen } from './invoice-screen.tsx';
import { InvoicesScreen } from './invoices-screen.tsx';
import { KeysScreen } from './keys-screen.tsx';
import { NewInvoiceScreen } from './new-invoice-screen.tsx';
import { OverviewScreen } from './overview-screen.tsx';
import { LoginFrame } from './parts/login-frame.tsx';
import { WhenLoaded } from './parts/panel.tsx';
import { Shell } from './parts/shell.tsx';
import type { Route } from './route.ts';
import { SettingsScreen } from './settings-screen.tsx';
import { setupOf, type Setup } from './setup.ts';
import { StartScreen } from './start-screen.tsx';
import { UnknownScreen } from './unknown-screen.tsx';
import { useLoad } from './use-load.ts';
import { WalletsScreen } from './wallets-screen.tsx';
import { WebhooksScreen } from './webhooks-screen.tsx';

/** Everything behind the login, once it is known who it is and what is set up. */
export function KnownArea() {
  const account = useAccount();
  const loaded = useLoad(() => readKnown(account.api), [account.api]);
  if (loaded.value === null) {
    return (
      <LoginFrame>
        <WhenLoaded loaded={loaded}>{() => null}</WhenLoaded>
      </LoginFrame>
    );
  }
  return (
    <KnownAccountContext.Provider value={{ ...account, ...loaded.value, refresh: loaded.reload }}>
      <Shell>
        <CurrentScreen key={account.place.path} route={account.place.route} />
      </Shell>
    </KnownAccountContext.Provider>
  );
}

async function readKnown(api: AccountApi): Promise<ApiResult<{ me: MeView; setup: Setup }>> {
  const [me, keys, invoices] = await Promise.all([
    api.getMe(),
    api.listApiKeys({ limit: '100' }),
    api.listInvoices({ limit: '1' }),
  ]);
  if (!me.ok) return me;
  if (!keys.ok) return keys;
  if (!invoices.ok) return invoices;
  const setup = setupOf(me.value, keys.value.data, invoices.value.data.length > 0);
  return { ok: true, value: { me: me.value, setup } };
}

const PLAIN = {
  overview: OverviewScreen,
  invoices: InvoicesScreen,
  'new-invoice': NewInvoiceScreen,
  donations: DonationsScreen,
  wallets: WalletsScreen,
  webhooks: WebhooksScreen,
  keys: KeysScreen,
  settings: SettingsScreen,
  unknown: UnknownScreen,
  // Left at once: who is logged in has no use for it.
  login: () => null,
  register: () => null,
} as const;

function CurrentScreen({ route }: { route: Route }) {
  if (route.screen === 'start') return <StartScreen step={route.step} />;
  if (route.screen === 'invoice') return <InvoiceScreen id={route.id} />;
  if (route.screen === 'event') return <EventScreen id={route.id} />;
  const Plain = PLAIN[route.screen];
  return <Plain />;
}
