import type {
  OperatedAccountDetails,
  OperatedAccountView,
  OperatorOverview,
  ParkedInvoiceView,
} from '@paywatch/domain/contract';
import type { AccountApi } from '../../api/api.ts';

type Page<Item> = { data: Item[]; next_cursor: string | null };
type Query = Readonly<Record<string, string>>;

/** The operations of operators, loaded with their screens. */
export function operatorApi({ request }: Pick<AccountApi, 'request'>) {
  const act = <Value>(path: string, body?: unknown) =>
    request<Value>({ method: 'POST', path: `/v1/operator${path}`, body });
  return {
    getOverview: () => request<OperatorOverview>({ path: '/v1/operator/overview' }),
    listAccounts: (query: Query) =>
      request<Page<OperatedAccountView>>({ path: '/v1/operator/accounts', query }),
    getAccount: (id: string) => request<OperatedAccountDetails>({ path: `/v1/operator/accounts/${id}` }),
    unlock: (id: string, reason: string) => act<OperatedAccountDetails>(`/accounts/${id}/unlock`, { reason }),
    setSubscription: (id: string, body: { project_id: string; until: string }) =>
      act<OperatedAccountDetails>(`/accounts/${id}/subscription`, body),
    setAddressLimit: (id: string, addresses: number | null) =>
      act<OperatedAccountDetails>(`/accounts/${id}/address-limit`, { addresses }),
    listParked: (query: Query) =>
      request<Page<ParkedInvoiceView>>({ path: '/v1/operator/parked-invoices', query }),
    retryParked: (id: string) => act<ParkedInvoiceView>(`/parked-invoices/${id}/retry`),
  };
}
