import type { Request, Response } from 'express';
import { PRODUCTS, type Product } from './products.ts';

/** A product in the cart, and how many of it. */
export type CartLine = { readonly product: Product; readonly count: number };

const COOKIE = 'cart';
const MAX_COUNT = 99;
const ONE_DAY_MS = 86_400_000;

/** The cart of a browser, which keeps it in a cookie: `mug-2.poster-1`. Prices are never taken from the browser. */
export function readCart(request: Request): CartLine[] {
  const cookies = request.get('Cookie') ?? '';
  const [, value = ''] = /(?:^|; )cart=([\w.-]*)/.exec(cookies) ?? [];
  const counts = new Map(value.split('.').map((part) => part.split('-') as [string, string]));
  return PRODUCTS.flatMap((product) => {
    const count = toCount(counts.get(product.sku));
    return count === 0 ? [] : [{ product, count }];
  });
}

/** Sets the number of one product; 0 removes it. */
export function setCount(cart: readonly CartLine[], sku: string, count: number): CartLine[] {
  const product = PRODUCTS.find((known) => known.sku === sku);
  if (product === undefined) return [...cart];
  const others = cart.filter((line) => line.product !== product);
  return count === 0 ? others : [...others, { product, count }];
}

/** An integer from 0 to 99; anything else that a browser may send is 0. */
export function toCount(value: unknown): number {
  return typeof value === 'string' && /^\d{1,2}$/.test(value) ? Math.min(Number(value), MAX_COUNT) : 0;
}

export function writeCart(response: Response, cart: readonly CartLine[]): void {
  const value = cart.map(({ product, count }) => `${product.sku}-${count}`).join('.');
  response.cookie(COOKIE, value, { httpOnly: true, sameSite: 'lax', maxAge: ONE_DAY_MS });
}

export function totalCents(cart: readonly CartLine[]): number {
  return cart.reduce((sum, { product, count }) => sum + product.priceCents * count, 0);
}
