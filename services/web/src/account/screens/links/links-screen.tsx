import type { PaymentLinkList, PaymentLinkView } from '@paywatch/domain/contract';
import { Notice } from '../../../ui/notice.tsx';
import { useLoad } from '../../api/use-load.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { May } from '../../parts/may.tsx';
import { Empty, Panel, Screen, WhenLoaded } from '../../parts/panel.tsx';
import { LinkCard } from './link-card.tsx';
import { LinkForm } from './link-form.tsx';
import { LINKS_TEXTS } from './links-texts.ts';
import { SitesPanel } from './sites-panel.tsx';

/** The payment links of the project, the form for a new one, and the sites that may show them. */
export function LinksScreen() {
  const { api, language, me } = useSignedInAccount();
  const words = LINKS_TEXTS[language];
  const links = useLoad<PaymentLinkList>(() => api.listLinks(), [api]);
  return (
    <Screen title={words.heading} testId="links">
      {me.project.wallets.some(({ verified }) => verified) ? null : (
        <Notice tone="waiting">{words.needsWallet}</Notice>
      )}
      <May call="createPaymentLink">
        <Panel title={words.add}>
          <p class="quiet">{words.lead}</p>
          <LinkForm onCreated={links.reload} />
        </Panel>
      </May>
      <WhenLoaded loaded={links}>{({ data }) => <Links links={data} reload={links.reload} />}</WhenLoaded>
      <May call="updateProject">
        <SitesPanel />
      </May>
    </Screen>
  );
}

function Links({ links, reload }: { links: readonly PaymentLinkView[]; reload: () => Promise<void> }) {
  const { language } = useSignedInAccount();
  if (links.length > 0) return links.map((link) => <LinkCard key={link.id} link={link} reload={reload} />);
  return (
    <Panel>
      <Empty>{LINKS_TEXTS[language].empty}</Empty>
    </Panel>
  );
}
