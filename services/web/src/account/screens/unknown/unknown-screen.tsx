import { useAccount } from '../../app/account-context.ts';
import { Screen } from '../../parts/panel.tsx';

/** The 404 page of the account area. */
export function UnknownScreen() {
  const { notFound } = useAccount().texts.common;
  return (
    <Screen title={notFound.title} testId="unknown">
      <p>{notFound.detail}</p>
      <p>
        <a class="link" href="/account">
          {notFound.link}
        </a>
      </p>
    </Screen>
  );
}
