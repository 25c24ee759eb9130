/**
 * Those who follow one thing: nobody, one, or a set of them. Nearly always it is one, and a set for each would be two objects
 * more to keep, and to fetch for each that is told something.
 */
export type Audience<Member extends object> = null | Member | Set<Member>;

/** With one more. */
export function joined<Member extends object>(
  audience: Audience<Member>,
  member: Member,
): NonNullable<Audience<Member>> {
  if (audience === null || audience === member) return member;
  return audience instanceof Set ? audience.add(member) : new Set([audience, member]);
}

/** Without that one, where it is in it. A set stays the same one until nobody is left: somebody may be going through it. */
export function left<Member extends object>(audience: Audience<Member>, member: Member): Audience<Member> {
  if (!(audience instanceof Set)) return audience === member ? null : audience;
  audience.delete(member);
  return audience.size === 0 ? null : audience;
}

/** How many they are. */
export function sizeOf<Member extends object>(audience: Audience<Member>): number {
  if (audience === null) return 0;
  return audience instanceof Set ? audience.size : 1;
}

/** All of them; who joins a set meanwhile comes last. */
export function membersOf<Member extends object>(audience: Audience<Member>): Iterable<Member> {
  if (audience === null) return [];
  return audience instanceof Set ? audience : [audience];
}
