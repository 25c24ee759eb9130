import { failed, type Finding } from '@paywatch/domain/deployment';
import { explainFailure } from '../terminal/failure.ts';

/** Runs a check. An error becomes a failed finding with its own advice, or with `advice`. Never rejects. */
export async function attempt(check: string, advice: string, run: () => Promise<Finding>): Promise<Finding> {
  try {
    return await run();
  } catch (error) {
    const failure = explainFailure(error);
    return failed(check, failure.message, failure.advice ?? advice);
  }
}
