import { useMemo } from 'preact/hooks';
import { useSignedInAccount } from '../../app/account-context.ts';
import { UnknownScreen } from '../unknown/unknown-screen.tsx';
import { AccountScreen } from './account-screen.tsx';
import { AccountsScreen } from './accounts-screen.tsx';
import { operatorApi } from './operator-api.ts';
import { OPERATOR_TEXTS } from './operator-texts.ts';
import { OverviewScreen } from './overview-screen.tsx';
import { ParkedInvoicesScreen } from './parked-invoices-screen.tsx';

/** The screens of operators. `parts`: the rest of the path. */
export function OperatorArea({ parts }: { parts: readonly string[] }) {
  const { api, language } = useSignedInAccount();
  const operator = useMemo(() => operatorApi(api), [api]);
  const shared = { operator, words: OPERATOR_TEXTS[language] };
  const [page, id, ...more] = parts;
  if (more.length > 0) return <UnknownScreen />;
  if (page === undefined) return <OverviewScreen {...shared} />;
  if (page === 'accounts')
    return id === undefined ? <AccountsScreen {...shared} /> : <AccountScreen {...shared} id={id} />;
  if (page === 'parked-invoices' && id === undefined) return <ParkedInvoicesScreen {...shared} />;
  return <UnknownScreen />;
}
