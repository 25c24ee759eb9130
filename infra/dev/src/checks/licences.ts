import type { BillOfMaterials } from './bill-of-materials.ts';

/** Licences that allow to deploy, change and sell what contains them. MPL-2.0 asks to pass on changes of its own files; none is changed. */
const ACCEPTED_LICENCES: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MPL-2.0',
  'Unlicense',
]);

/** The packages of others by licence, as an SPDX expression; those that name none are under `none`. Pure. */
export function packagesByLicence({ components }: BillOfMaterials): Map<string, string[]> {
  const packages = new Map<string, string[]>();
  for (const { 'bom-ref': name, licenses } of components) {
    if (name.startsWith('@paywatch/')) continue;
    const licence = licenceOf(licenses);
    packages.set(licence, [...(packages.get(licence) ?? []), name]);
  }
  return packages;
}

/** Whether every licence that an SPDX expression names is accepted. Stricter than SPDX where there is a choice. */
export function isAccepted(licence: string): boolean {
  const names = licence.split(/ (?:AND|OR) |[()]/).filter((name) => name !== '');
  return names.length > 0 && names.every((name) => ACCEPTED_LICENCES.has(name));
}

function licenceOf(licenses: BillOfMaterials['components'][number]['licenses']): string {
  const names = (licenses ?? []).map(({ license, expression }) => expression ?? license?.id ?? license?.name);
  return names.length === 0 ? 'none' : names.join(' AND ');
}
