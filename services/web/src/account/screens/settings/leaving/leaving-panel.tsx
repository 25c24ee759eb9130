import { useSignedInAccount } from '../../../app/account-context.ts';
import type { ApiResult } from '../../../api/api-call.ts';
import type { AccountApi } from '../../../api/api.ts';
import { DownloadButton } from '../../../parts/download-button.tsx';
import { May } from '../../../parts/may.tsx';
import { Panel } from '../../../parts/panel.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { LEAVING_TEXTS } from './leaving-texts.ts';

const FILES = ['invoices', 'payments', 'events'] as const;

/** Downloads of everything that the account has, and its deletion. */
export function LeavingPanel() {
  const { api, language } = useSignedInAccount();
  const words = LEAVING_TEXTS[language];
  return (
    <Panel title={words.heading} testId="leaving">
      <May call="exportAccount">
        <p>{words.detail}</p>
        <p class="quiet">{words.warning}</p>
        <div class="buttons">
          <DownloadButton name="paywatch-account.json" testId="export-account" load={() => loadAccount(api)}>
            {words.download}
          </DownloadButton>
        </div>
      </May>
      <May call="exportInvoices">
        <p>{words.files}</p>
        <Files />
      </May>
      <DeleteAccount />
    </Panel>
  );
}

/** What was sold, as files. */
function Files() {
  const { api, language } = useSignedInAccount();
  const words = LEAVING_TEXTS[language];
  return (
    <div class="buttons">
      {FILES.map((kind) => (
        <DownloadButton
          key={kind}
          name={`paywatch-${kind}.csv`}
          testId={`export-${kind}`}
          load={() => api.exportFile(kind, { format: 'csv' })}
        >
          {words[kind]}
        </DownloadButton>
      ))}
      <May call="exportAuditLog">
        <DownloadButton
          name="paywatch-audit-log.csv"
          testId="export-audit"
          load={() => api.exportAuditLog({ format: 'csv' })}
        >
          {words.audit}
        </DownloadButton>
      </May>
    </div>
  );
}

/** The document as a file that people can read. */
async function loadAccount(api: AccountApi): Promise<ApiResult<Blob>> {
  const result = await api.exportAccount();
  if (!result.ok) return result;
  return { ok: true, value: new Blob([JSON.stringify(result.value, null, 2)], { type: 'application/json' }) };
}
