import { payDe } from './pay-de.ts';
import type { PayPageTexts } from './pay-page-en.ts';
import { problemDe } from '../../ui/problem-de.ts';

/** All that the payment page says in German: a file of its own, so that only what is read is fetched. */
export const payPageDe: PayPageTexts = { pay: payDe, problem: problemDe };
