import type { PublicBranding } from '@paywatch/domain/contract';

export type OrderHeadProps = {
  branding: PublicBranding | null;
  /** Of the project; null if it has none. */
  name: string | null;
  /** What is paid for; null where the view below says it. */
  description: string | null;
};

/** Whether there is anything to show above the view. Pure. */
export function hasHead({ branding, description }: OrderHeadProps): boolean {
  return (branding?.logo_url ?? null) !== null || description !== null;
}

/**
 * The logo of the project and what the payment is for, above the view. It stands outside the view that the script owns, so it needs no
 * script. Its texts are untrusted.
 */
export function OrderHead({ branding, name, description }: OrderHeadProps) {
  const logo = branding?.logo_url ?? null;
  return (
    <header class="order-head" data-testid="order-head">
      {logo === null ? null : <img class="order-head__logo" src={logo} alt={name ?? ''} data-testid="logo" />}
      {description === null ? null : (
        <p class="order-head__text" dir="auto" data-testid="order-description">
          {description}
        </p>
      )}
    </header>
  );
}
