import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { joined, left, membersOf, sizeOf, type Audience } from '../src/streams/audience.ts';

const people = Array.from({ length: 4 }, (_, number) => ({ number }));
const person = fc.constantFrom(...people);

test('an audience has whom a set would have, whoever joins and leaves', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), person)), (steps) => {
      let audience: Audience<{ number: number }> = null;
      const expected = new Set<object>();
      for (const [joins, who] of steps) {
        audience = joins ? joined(audience, who) : left(audience, who);
        if (joins) expected.add(who);
        else expected.delete(who);
        expect(new Set(membersOf(audience))).toEqual(expected);
        expect([sizeOf(audience), audience === null]).toEqual([expected.size, expected.size === 0]);
      }
    }),
  );
});

test('who goes through it meets nobody twice, and everybody who stays, though others leave and join', () => {
  const [first, second, third, fourth] = people as [object, object, object, object];
  let audience = joined(joined(joined(null, first), second), third);
  const met: object[] = [];
  for (const member of membersOf(audience)) {
    met.push(member);
    if (member === first) audience = joined(left(left(audience, first), second), fourth);
  }
  expect(met).toEqual([first, third, fourth]);
  expect([...membersOf(audience)]).toEqual([third, fourth]);
});
