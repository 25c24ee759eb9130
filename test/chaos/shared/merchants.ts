import { createApiClient, openMerchant, type Merchant, type StackService } from '@paywatch/dev/stack';

const GAP_LIMIT = 1000;
const AT_ONCE = 4;

/** Opens merchants with Litecoin wallets, several concurrently, through all API processes in turn. */
export async function openMerchants(apis: readonly StackService[], count: number): Promise<Merchant[]> {
  const merchants: Merchant[] = [];
  for (let first = 1; first <= count; first += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - first + 1) }, (_, index) => first + index);
    const opened = numbers.map((number) =>
      openMerchant(createApiClient(urlOf(apis[number % apis.length])), {
        number,
        currency: 'LTC',
        gapLimit: GAP_LIMIT,
      }),
    );
    merchants.push(...(await Promise.all(opened)));
  }
  return merchants;
}

function urlOf(api: StackService | undefined): string {
  if (api?.port === undefined) throw new Error('the API process has no port');
  return `http://127.0.0.1:${api.port}`;
}
