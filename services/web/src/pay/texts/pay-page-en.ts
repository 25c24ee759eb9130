import { payEn } from './pay-en.ts';
import { problemEn } from '../../ui/problem/problem-en.ts';

/** All English texts of the payment page as one chunk: browsers load only their own language. */
export const payPageEn = { pay: payEn, problem: problemEn };
export type PayPageTexts = typeof payPageEn;
