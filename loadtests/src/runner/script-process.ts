/**
 * Runs one script without k6: `node script-process.ts NAME ITERATIONS`, with the variables of the script in the environment. Prints the
 * outcomes of its thresholds as JSON.
 */
import { registerHooks } from 'node:module';
import { K6_MODULES } from './k6-modules.ts';
import type { Script } from './run-script.ts';

const [name = '', iterations = ''] = process.argv.slice(2);
registerHooks({ resolve: (specifier, context, next) => next(K6_MODULES[specifier] ?? specifier, context) });
// Globals that k6 provides: the environment, and the number of the user.
Object.assign(globalThis, { __ENV: process.env, __VU: 1 });
const { runScript } = await import('./run-script.ts');
const script: Script = await import(`../../k6/${name}.ts`);
const outcomes = await runScript(script, Number(iterations));
process.stdout.write(JSON.stringify(outcomes), () => process.exit(0));
