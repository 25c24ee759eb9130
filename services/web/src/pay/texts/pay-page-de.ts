import { payDe } from './pay-de.ts';
import type { PayPageTexts } from './pay-page-en.ts';
import { problemDe } from '../../ui/problem/problem-de.ts';

/** All German texts of the payment page as one chunk: browsers load only their own language. */
export const payPageDe: PayPageTexts = { pay: payDe, problem: problemDe };
