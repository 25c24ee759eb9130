/** A set of what comes and soon goes, in no order. Adding and removing take the same time however many there are. */
export type YoungSet<Thing> = {
  /** Adds one; the function that is answered takes it out again, once. */
  add(thing: Thing): () => void;
  all(): Thing[];
};

/**
 * Not a Set: one that has lived for a while leaves its outgrown tables among the old objects, with all that was in them. Until
 * the next full collection they keep alive whatever passed through, and each young collection copies it: a quarter of all
 * that requests allocate.
 */
export function youngSet<Thing>(): YoungSet<Thing> {
  const places: { thing: Thing; at: number }[] = [];
  return {
    add: (thing) => {
      const place = { thing, at: places.length };
      places.push(place);
      return () => {
        const last = places.pop();
        if (last === undefined || last === place) return;
        places[place.at] = last;
        last.at = place.at;
      };
    },
    all: () => places.map((place) => place.thing),
  };
}
