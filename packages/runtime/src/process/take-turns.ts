/**
 * Goes round and round what changes meanwhile: each call takes the next ones, as many as make this share of all, and whatever
 * stays has its turn once in every round. `items` begins at the beginning; what it returns follows changes, as iterators of maps
 * and sets do.
 */
export function takeTurns<Item>(
  all: { readonly size: number },
  items: () => Iterator<Item>,
): (share: number) => Item[] {
  let rest = items();
  // A share of a few may be less than one: it is taken with a later call.
  let due = 0;
  return (share) => {
    due = Math.min(due + all.size * share, all.size);
    const taken: Item[] = [];
    for (let isNewRound = false; taken.length + 1 <= due;) {
      const next = rest.next();
      if (next.done !== true) taken.push(next.value);
      else if (isNewRound) break;
      else [rest, isNewRound] = [items(), true];
    }
    due -= taken.length;
    return taken;
  };
}
