import type { ApiKeyView } from '@paywatch/domain/contract';
import { Moment } from '../../../ui/moment.tsx';
import { useSignedInAccount } from '../../app/account-context.ts';
import { dayText } from '../../app/day-text.ts';
import { KeyForm } from './key-form.tsx';
import { KEYS_TEXTS, type KeysTexts } from './keys-texts.ts';
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
  const { api, language } = useSignedInAccount();
  const words = KEYS_TEXTS[language];
  const keys = useLoad(() => api.listApiKeys({ limit: '100' }), [api]);
  return (
    <Screen title={words.heading} testId="keys">
      <May call="createApiKey">
        <Panel title={words.create}>
          <KeyForm onCreated={() => void keys.reload()} />
        </Panel>
      </May>
      <Panel title={words.heading}>
        <WhenLoaded loaded={keys}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty>{words.empty}</Empty>
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
  const { api, language, refresh } = useSignedInAccount();
  const words = KEYS_TEXTS[language];
  const revocation = useSubmit<ApiKeyView>();
  const mayRevoke = useMayCall('revokeApiKey');
  const { columns } = words;
  const revoke = async (keyPublic: string) => {
    if ((await revocation.send(() => api.revokeApiKey(keyPublic))) === null) return;
    onRevoked();
    await refresh();
  };
  const action = (key: ApiKeyView) =>
    key.revoked_at === null ? (
      <ConfirmButton
        question={words.revokeAsk(key.key_public)}
        detail={words.revokeDetail}
        testId={`revoke-${key.key_public}`}
        onConfirm={() => void revoke(key.key_public)}
      >
        {words.revoke}
      </ConfirmButton>
    ) : null;
  return (
    <>
      <ProblemNotice problem={revocation.problem} />
      <Table
        label={words.heading}
        testId="key-table"
        rows={keys}
        keyOf={({ key_public: keyPublic }) => keyPublic}
        columns={[
          [columns.key, (key) => <KeyName apiKey={key} />],
          [columns.scope, (key) => accessText(key, words)],
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
function accessText({ scope, scopes }: ApiKeyView, words: KeysTexts): string {
  return scope === 'custom' ? scopes.map((each) => words.scopes[each]).join(', ') : words.setShort[scope];
}

function Addresses({ apiKey }: KeyProps) {
  const words = KEYS_TEXTS[useSignedInAccount().language];
  const { allowed_addresses: ranges } = apiKey;
  return ranges === null ? words.anywhere : <code dir="ltr">{ranges.join(', ')}</code>;
}

function LastUse({ apiKey }: KeyProps) {
  const { language } = useSignedInAccount();
  const words = KEYS_TEXTS[language];
  const { last_used_at: at, last_used_ip: ip } = apiKey;
  if (at === null) return words.never;
  return (
    <>
      <Moment at={at} language={language} />
      {ip === null ? null : <span class="quiet"> {words.usedFrom(ip)}</span>}
    </>
  );
}

function State({ apiKey }: KeyProps) {
  const { language } = useSignedInAccount();
  const words = KEYS_TEXTS[language];
  const { revoked_at: revokedAt, expires_at: expiresAt } = apiKey;
  if (revokedAt !== null) return <Badge tone="calm">{words.revoked}</Badge>;
  if (expiresAt === null) return <Badge tone="done">{words.active}</Badge>;
  if (Date.parse(expiresAt) <= Date.now()) return <Badge tone="calm">{words.expired}</Badge>;
  return (
    <>
      <Badge tone="done">{words.active}</Badge>
      <span class="quiet"> {words.until(dayText(expiresAt, language))}</span>
    </>
  );
}
