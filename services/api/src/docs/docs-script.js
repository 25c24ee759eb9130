// The comfort of the reference: search, copy buttons, the current section, and the language of the samples. The page works without it.

const search = document.querySelector('#search');
const operations = [...document.querySelectorAll('.operation')];
const links = [...document.querySelectorAll('.contents a, nav a')];

search.hidden = false;
search.addEventListener('input', () => filter(search.value));
search.addEventListener('keydown', ({ key }) => {
  if (key === 'Enter') operations.find((operation) => !operation.hidden)?.scrollIntoView();
  if (key === 'Escape') filter((search.value = ''));
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  search.focus();
});

/** Shows the operations that contain every word, with their sections and links. */
function filter(query) {
  const words = query.toLowerCase().split(/\s+/);
  for (const operation of operations) {
    const text = operation.textContent.toLowerCase();
    operation.hidden = !words.every((word) => text.includes(word));
  }
  for (const section of document.querySelectorAll('main > section:has(.operation)')) {
    section.hidden = section.querySelector('.operation:not([hidden])') === null;
  }
  for (const link of links) {
    const target = document.querySelector(link.getAttribute('href'));
    link.parentElement.hidden = target.closest('[hidden]') !== null;
  }
  const found = operations.filter((operation) => !operation.hidden).length;
  document.querySelector('#found').textContent =
    query === '' ? '' : `${found} of ${operations.length} operations`;
}

// Browsers have no clipboard on pages without TLS, except on localhost.
if (navigator.clipboard) {
  for (const pre of document.querySelectorAll('figure pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', () => void copy(pre, button));
    pre.before(button);
  }
}

async function copy(pre, button) {
  await navigator.clipboard.writeText(pre.textContent);
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = 'Copy'), 2000);
}

// The operation at the top of the window, below the header.
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) mark(target.id);
  },
  { rootMargin: '-72px 0px -75% 0px' },
);
for (const operation of operations) observer.observe(operation);

function mark(id) {
  for (const link of links) {
    if (link.getAttribute('href') !== `#${id}`) link.removeAttribute('aria-current');
    else {
      link.setAttribute('aria-current', 'location');
      if (link.closest('nav')) link.scrollIntoView({ block: 'nearest' });
    }
  }
}

const LANGUAGE = 'paywatch.docs.language';
for (const choice of document.querySelectorAll('input[name=language]')) {
  if (choice.value === localStorage.getItem(LANGUAGE)) choice.checked = true;
  choice.addEventListener('change', () => localStorage.setItem(LANGUAGE, choice.value));
}
