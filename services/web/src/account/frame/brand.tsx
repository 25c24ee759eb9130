import { useAccount } from '../app/account-context.ts';

/** The product's logo and name. */
export function Brand() {
  const { texts } = useAccount();
  return (
    <p class="brand">
      <svg class="brand__mark" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" />
        <path d="M8 16.5l5.5 5.5L24 11" />
      </svg>
      {texts.title}
    </p>
  );
}
