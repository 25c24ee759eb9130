import { expect, test } from 'vitest';
import { billOfMaterials } from '../../src/checks/bill-of-materials.ts';
import { deployedPackages } from '../../src/image/deployed-packages.ts';

test('the bill of materials lists exactly the packages that a deployed service can load, with their hashes', async () => {
  const { components } = await billOfMaterials();
  const listed = components.map((component) => component['bom-ref']).toSorted();
  const deployed = deployedPackages().filter(({ linksTo }) => linksTo === undefined);
  const reachable = [...new Set(deployed.map(({ name, version }) => `${name}@${version}`))].toSorted();
  expect(reachable.length).toBeGreaterThan(100);
  expect(listed).toEqual(reachable);
  const unhashed = components.filter(({ hashes }) => hashes === undefined).map((one) => one['bom-ref']);
  expect(unhashed.filter((ref) => !ref.startsWith('@paywatch/'))).toEqual([]);
});
