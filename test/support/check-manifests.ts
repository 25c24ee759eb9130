import { repositoryFolder } from '@paywatch/dev/stack';
import { join } from 'node:path';
import ts from 'typescript';
import type { Manifest } from './render-chart.ts';

/** The modules of `kubernetes-types` by API group. PodMonitor is a custom resource without types. */
const MODULES: Readonly<Record<string, string>> = {
  v1: 'core/v1',
  'apps/v1': 'apps/v1',
  'autoscaling/v2': 'autoscaling/v2',
  'batch/v1': 'batch/v1',
  'networking.k8s.io/v1': 'networking/v1',
  'policy/v1': 'policy/v1',
};

/**
 * Returns type errors of Kubernetes objects: unknown or missing fields, and values of a wrong type. Compiles the objects as literals of
 * the types generated from Kubernetes' API document.
 */
export function faultsOf(manifests: readonly Manifest[]): string[] {
  const file = join(repositoryFolder, 'test/manifests.ts');
  const source = ts.createSourceFile(file, manifests.map(literalOf).join('\n'), ts.ScriptTarget.Latest);
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    lib: ['lib.es2022.d.ts'],
    module: ts.ModuleKind.NodeNext,
  };
  const host = ts.createCompilerHost(options);
  const readSource = host.getSourceFile;
  host.getSourceFile = (name, ...rest) => (name === file ? source : readSource(name, ...rest));
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

function literalOf(manifest: Manifest, index: number): string {
  const { apiVersion, kind } = manifest;
  const module = MODULES[apiVersion];
  if (module === undefined) throw new Error(`no types for ${apiVersion} ${kind}`);
  const type = `import('kubernetes-types/${module}.d.ts').${kind}`;
  return `export const manifest${index}: ${type} = ${JSON.stringify(manifest)};`;
}
