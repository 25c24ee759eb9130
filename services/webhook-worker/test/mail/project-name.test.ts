import { expect, test } from 'vitest';
import { projectName } from '../../src/mail/texts/project-name.ts';

test.each([
  ['Example Shop', 'Example Shop'],
  ['Café & Söhne (Berlin), No. 5!', 'Café & Söhne (Berlin), No. 5!'],
  ['株式会社 ☕ नमस्ते', '株式会社 ☕ नमस्ते'],
  ['evil.example', 'evil example'],
  ['https://evil.example/path?x=1#y', 'https evil example path?x 1 y'],
  ['evil。example evil．example', 'evil example evil example'],
  ['mailto:a@b.example', 'mailto a b example'],
  ['“quoted” \u202e\u0007\n<b>', 'quoted b'],
  ['Call 0800123456 now', 'Call now'],
  ['Call +49 (170) 123-45 67', 'Call +'],
  ['Shop 24 7, since 1998', 'Shop 24 7, since 1998'],
  ['. . .', '. . .'],
  ['', ''],
])('the name %j is shown as %j', (name, shown) => {
  expect(projectName(name)).toBe(shown);
});
