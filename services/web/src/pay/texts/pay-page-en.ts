import { payEn } from './pay-en.ts';
import { problemEn } from '../../ui/problem-en.ts';

/** All that the payment page says in English: a file of its own, so that only what is read is fetched. */
export const payPageEn = { pay: payEn, problem: problemEn };
/** The texts of the payment page and of what may stand in its place. */
export type PayPageTexts = typeof payPageEn;
