/** An address in groups of four, the first and the last stronger: those are what people compare. */
export function AddressText({ address, onClick }: { address: string; onClick?: () => void }) {
  const groups = groupsOfFour(address);
  // A last group of one or two characters is too little to compare by.
  const lastStrong = groups.length - ((groups.at(-1) ?? '').length < 3 ? 2 : 1);
  return (
    <code class="address" dir="ltr" translate={false} data-testid="address" onClick={onClick}>
      {groups.map((group, index) => (
        <span key={index} class={index === 0 || index >= lastStrong ? 'group strong' : 'group'}>
          {group}
        </span>
      ))}
    </code>
  );
}

/** Cuts a text into pieces of four characters; the last may be shorter. Joined they are the text: copying stays exact. */
export function groupsOfFour(text: string): string[] {
  return text.match(/.{1,4}/gu) ?? [];
}
