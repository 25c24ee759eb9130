/** A product. Prices are integers in cents: floating-point numbers would round. */
export type Product = { readonly sku: string; readonly name: string; readonly priceCents: number };

export const PRODUCTS: readonly Product[] = [
  { sku: 'mug', name: 'Mug with a block header', priceCents: 1250 },
  { sku: 'poster', name: 'Poster of the genesis block', priceCents: 1999 },
  { sku: 'stickers', name: 'Ten stickers', priceCents: 490 },
];

/** 1250 as `12.50`, as Paywatch takes it. */
export function formatEuros(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
