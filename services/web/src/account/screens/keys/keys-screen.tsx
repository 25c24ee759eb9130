import type { ApiKeyView } from '@paywatch/domain/contract';
import { Moment } from '../../../ui/moment.tsx';
import type { AccountTexts } from '../../account-en.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { dayText } from '../../app/day-text.ts';
import { KeyForm } from './key-form.tsx';
import { Badge } from '../../parts/badge.tsx';
import { ConfirmButton } from '../../parts/form/confirm-button.tsx';
import { ProblemNotice } from '../../parts/form/form.tsx';
import { May, useMayCall } from '../../parts/may.tsx';
import { Empty, Panel, Screen, WhenLoaded } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';
import { useLoad } from '../../api/use-load.ts';
import { useSubmit } from '../../api/use-submit.ts';

/** Creates, lists and revokes API keys. */
export function KeysScreen() {
  const { api, texts } = useSignedInAccount();
  const keys = useLoad(() => api.listApiKeys({ limit: '100' }), [api]);
  return (
    <Screen title={texts.keys.heading} testId="keys">
      <May call="createApiKey">
        <Panel title={texts.keys.create}>
          <KeyForm onCreated={() => void keys.reload()} />
        </Panel>
      </May>
      <Panel title={texts.keys.heading}>
        <WhenLoaded loaded={keys}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty>{texts.keys.empty}</Empty>
            ) : (
              <KeyTable keys={data} onRevoked={() => void keys.reload()} />
            )
          }
        </WhenLoaded>
      </Panel>
    </Screen>
  );
}

function KeyTable({ keys, onRevoked }: { keys: readonly ApiKeyView[]; onRevoked: () => void }) {
  const { api, texts, language, refresh } = useSignedInAccount();
  const revocation = useSubmit<ApiKeyView>();
  const mayRevoke = useMayCall('revokeApiKey');
  const { columns } = texts.keys;
  const revoke = async (keyPublic: string) => {
    if ((await revocation.send(() => api.revokeApiKey(keyPublic))) === null) return;
    onRevoked();
    await refresh();
  };
  const action = (key: ApiKeyView) =>
    key.revoked_at === null ? (
      <ConfirmButton
        question={texts.keys.revokeAsk(key.key_public)}
        detail={texts.keys.revokeDetail}
        testId={`revoke-${key.key_public}`}
        onConfirm={() => void revoke(key.key_public)}
      >
        {texts.keys.revoke}
      </ConfirmButton>
    ) : null;
  return (
    <>
      <ProblemNotice problem={revocation.problem} />
      <Table
        label={texts.keys.heading}
        testId="key-table"
        rows={keys}
        keyOf={({ key_public: keyPublic }) => keyPublic}
        columns={[
          [columns.key, (key) => <KeyName apiKey={key} />],
          [columns.scope, (key) => accessText(key, texts)],
          [columns.addresses, (key) => <Addresses apiKey={key} />],
          [columns.created, (key) => <Moment at={key.created_at} language={language} />],
          [columns.used, (key) => <LastUse apiKey={key} />],
          [columns.state, (key) => <State apiKey={key} />],
          ...(mayRevoke ? [[columns.actions, action] as const] : []),
        ]}
      />
    </>
  );
}

type KeyProps = { apiKey: ApiKeyView };

function KeyName({ apiKey }: KeyProps) {
  const code = <code dir="ltr">{`pw_${apiKey.key_public}_…`}</code>;
  return apiKey.name === null ? (
    code
  ) : (
    <>
      <bdi>{apiKey.name}</bdi>
      <br />
      {code}
    </>
  );
}

/** The name of the set, or the scopes one by one. Pure. */
function accessText({ scope, scopes }: ApiKeyView, { keys }: AccountTexts): string {
  return scope === 'custom' ? scopes.map((each) => keys.scopes[each]).join(', ') : keys.setShort[scope];
}

function Addresses({ apiKey }: KeyProps) {
  const { texts } = useSignedInAccount();
  const { allowed_addresses: ranges } = apiKey;
  return ranges === null ? texts.keys.anywhere : <code dir="ltr">{ranges.join(', ')}</code>;
}

function LastUse({ apiKey }: KeyProps) {
  const { texts, language } = useSignedInAccount();
  const { last_used_at: at, last_used_ip: ip } = apiKey;
  if (at === null) return texts.keys.never;
  return (
    <>
      <Moment at={at} language={language} />
      {ip === null ? null : <span class="quiet"> {texts.keys.usedFrom(ip)}</span>}
    </>
  );
}

function State({ apiKey }: KeyProps) {
  const { texts, language } = useSignedInAccount();
  const { revoked_at: revokedAt, expires_at: expiresAt } = apiKey;
  if (revokedAt !== null) return <Badge tone="calm">{texts.keys.revoked}</Badge>;
  if (expiresAt === null) return <Badge tone="done">{texts.keys.active}</Badge>;
  if (Date.parse(expiresAt) <= Date.now()) return <Badge tone="calm">{texts.keys.expired}</Badge>;
  return (
    <>
      <Badge tone="done">{texts.keys.active}</Badge>
      <span class="quiet"> {texts.keys.until(dayText(expiresAt, language))}</span>
    </>
  );
}
