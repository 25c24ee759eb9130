import type { BillOfMaterials } from './bill-of-materials.ts';

/**
 * Licences that allow commercial use and modification. MPL-2.0 requires publishing changes to its own files; we change none.
 * LGPL-3.0 requires that its library can be replaced; sharp loads it from a file of its own. CC-BY-4.0 requires naming the authors, as
 * CONTRIBUTING.md does.
 */
const ACCEPTED_LICENCES: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'Unlicense',
]);

/** Groups third-party packages by licence (SPDX expression); `none` if a package names no licence. Pure. */
export function packagesByLicence({ components }: BillOfMaterials): Map<string, string[]> {
  const packages = new Map<string, string[]>();
  for (const { 'bom-ref': name, licenses } of components) {
    if (name.startsWith('@paywatch/')) continue;
    const licence = licenceOf(licenses);
    packages.set(licence, [...(packages.get(licence) ?? []), name]);
  }
  return packages;
}

/** Whether every licence in an SPDX expression is accepted; with `OR` all alternatives have to be. */
export function isAccepted(licence: string): boolean {
  const names = licence.split(/ (?:AND|OR) |[()]/).filter((name) => name !== '');
  return names.length > 0 && names.every((name) => ACCEPTED_LICENCES.has(name));
}

function licenceOf(licenses: BillOfMaterials['components'][number]['licenses']): string {
  const names = (licenses ?? []).map(({ license, expression }) => expression ?? license?.id ?? license?.name);
  return names.length === 0 ? 'none' : names.join(' AND ');
}
