import type { ApiProblem } from '../../api/api-call.ts';

/** Whether the API refused the only field of a form. Pure. */
export function isRefused(problem: ApiProblem | null): boolean {
  return problem?.code === 'validation_error';
}
