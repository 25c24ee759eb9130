/** An element with a class and its children. Text is never HTML: donors choose some of these texts. */
export function element(
  name: 'div' | 'p' | 'h1' | 'ol' | 'li' | 'bdi' | 'b' | 'span',
  className: string,
  ...children: readonly (Node | string)[]
): HTMLElement {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

/** An amount, which is written from left to right in every language. */
export function amountElement(text: string): HTMLElement {
  const made = element('b', '', text);
  made.dir = 'ltr';
  return made;
}
