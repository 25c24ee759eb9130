/**
 * Goes round and round what changes meanwhile: each call takes the next so many, and whatever stays in it has its turn once in
 * every round. `items` begins at the beginning; what it returns follows changes, as iterators of maps and sets do.
 */
export function takeTurns<Item>(items: () => Iterator<Item>): (count: number) => Item[] {
  let rest = items();
  return (count) => {
    const taken: Item[] = [];
    for (let isNewRound = false; taken.length < count;) {
      const next = rest.next();
      if (next.done !== true) taken.push(next.value);
      else if (isNewRound) break;
      else [rest, isNewRound] = [items(), true];
    }
    return taken;
  };
}
