/** An address in groups of four characters. The first and last group are emphasized: people compare those. */
export function AddressText({ address, onClick }: { address: string; onClick?: () => void }) {
  const groups = groupsOfFour(address);
  // A last group of one or two characters is too short to compare, so the group before it is emphasized too.
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

/** Splits a text into groups of four characters; the last may be shorter. Copying the groups yields the exact text. */
export function groupsOfFour(text: string): string[] {
  return text.match(/.{1,4}/gu) ?? [];
}
