/**
 * Returns a function whose calls walk over a changing collection again and again: each call returns the next `share` of the items, and
 * every item that stays is returned once per round. `items` returns a new iterator from the start; it must follow changes, as iterators
 * of maps and sets do.
 */
export function roundRobin<Item>(
  all: { readonly size: number },
  items: () => Iterator<Item>,
): (share: number) => Item[] {
  let rest = items();
  // A share of a small collection may be less than one item, so the remainder carries over to the next call.
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
