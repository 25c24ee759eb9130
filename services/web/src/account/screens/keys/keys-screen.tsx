import type { ApiKeyView } from '@paywatch/domain/contract';
import { Moment } from '../../../ui/moment.tsx';
import { useSignedInAccount } from '../../app/account-context.ts';
import { KeyForm } from './key-form.tsx';
import { Badge } from '../../parts/badge.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { ProblemNotice } from '../../parts/form.tsx';
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
      <Panel title={texts.keys.create}>
        <KeyForm onCreated={() => void keys.reload()} />
      </Panel>
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
  const { columns } = texts.keys;
  const revoke = async (keyPublic: string) => {
    if ((await revocation.send(() => api.revokeApiKey(keyPublic))) === null) return;
    onRevoked();
    await refresh();
  };
  return (
    <>
      <ProblemNotice problem={revocation.problem} />
      <Table
        label={texts.keys.heading}
        testId="key-table"
        rows={keys}
        keyOf={({ key_public: keyPublic }) => keyPublic}
        columns={[
          [columns.key, (key) => <code dir="ltr">{`pw_${key.key_public}_…`}</code>],
          [columns.scope, (key) => texts.keys.scopeShort[key.scope]],
          [columns.created, (key) => <Moment at={key.created_at} language={language} />],
          [
            columns.used,
            (key) =>
              key.last_used_at === null ? (
                texts.keys.never
              ) : (
                <Moment at={key.last_used_at} language={language} />
              ),
          ],
          [
            columns.state,
            ({ revoked_at: revokedAt }) => (
              <Badge tone={revokedAt === null ? 'done' : 'calm'}>
                {revokedAt === null ? texts.keys.active : texts.keys.revoked}
              </Badge>
            ),
          ],
          [
            columns.actions,
            (key) =>
              key.revoked_at === null ? (
                <ConfirmButton
                  question={texts.keys.revokeAsk(key.key_public)}
                  detail={texts.keys.revokeDetail}
                  testId={`revoke-${key.key_public}`}
                  onConfirm={() => void revoke(key.key_public)}
                >
                  {texts.keys.revoke}
                </ConfirmButton>
              ) : null,
          ],
        ]}
      />
    </>
  );
}
