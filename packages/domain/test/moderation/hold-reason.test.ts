import { holdReason, type HoldRule, type ModeratedDonation } from '@paywatch/domain/moderation';
import { describe, expect, test } from 'vitest';

function donation(change: Partial<ModeratedDonation> = {}): ModeratedDonation {
  return { donorName: 'Alice', donorMessage: 'Great stream!', isKnownDonor: false, ...change };
}

function rule(change: Partial<HoldRule> = {}): HoldRule {
  return { hold: 'links_and_words', words: [], ...change };
}

const heldFor = (text: string, words: readonly string[] = []) =>
  holdReason(rule({ words }), donation({ donorMessage: text }));

test('none holds nothing, all holds everything, also donations without text', () => {
  const offensive = donation({ donorMessage: 'https://spam.example fuck' });
  const silent = donation({ donorName: null, donorMessage: null });
  for (const each of [offensive, silent]) {
    expect(holdReason(rule({ hold: 'none' }), each)).toBeNull();
    expect(holdReason(rule({ hold: 'all' }), each)).toBe('all');
  }
});

test('first_time holds a donor whose name was not shown before, unless there is no text', () => {
  const first = rule({ hold: 'first_time' });
  expect(holdReason(first, donation())).toBe('first_time');
  expect(holdReason(first, donation({ isKnownDonor: true }))).toBeNull();
  expect(holdReason(first, donation({ donorName: null }))).toBe('first_time');
  expect(holdReason(first, donation({ donorName: null, donorMessage: null }))).toBeNull();
});

describe('links_and_words', () => {
  test.each([
    'look at https://spam.example/x',
    'HTTP://SPAM.EXAMPLE',
    'www.spam',
    'spam.com',
    'go to spam.co.uk now',
    'spam .com',
    'spam (dot) com',
    'spam dot com',
    'spam[.]com',
    'spam。com',
    'ｓｐａｍ．ｃｏｍ',
    'bücher.example',
    'magnet://x',
    't.me/spam',
    'spam . com',
    'spam•com',
    'open 203.0.113.7 now',
  ])('holds the link in %j', (text) => {
    expect(heldFor(text)).toBe('link');
  });

  test.each([
    'fuck',
    'FUCK',
    'fuuuck',
    'f.u.c.k',
    'f u c k',
    'sh1t',
    'Arschloch',
    'hijo de puta',
    'блядь',
    '傻逼',
  ])('holds the offensive word in %j', (text) => {
    expect(heldFor(`Hi ${text} !`)).toBe('word');
  });

  test('holds an offensive name, too', () => {
    expect(holdReason(rule(), donation({ donorName: 'Arschloch' }))).toBe('word');
    expect(holdReason(rule(), donation({ donorName: 'spam.com' }))).toBe('link');
  });

  test.each([
    'Great stream!',
    'First. Second. Third',
    'Wait... what?',
    'Wait ... what? Well . . . yes',
    '• gg • wp',
    'I pay 0.5 BTC',
    'Scunthorpe, class, assassin, Essex',
    'Schöne Grüße aus Österreich, die Mutter grüßt',
    '¡Qué buen directo, con calma!',
    '3.14 is not a link',
    '素晴らしい配信です',
    '',
  ])('shows %j', (text) => {
    expect(heldFor(text)).toBeNull();
  });

  test('finds own words inside longer ones, whatever their case and accents', () => {
    expect(heldFor('The SPOILÉRS are here', ['spoiler'])).toBe('word');
    expect(heldFor('s p o i l e r', ['spoiler'])).toBe('word');
    expect(heldFor('The spoils are here', ['spoiler'])).toBeNull();
  });

  test('takes the longest texts that donors can send in a few milliseconds each', () => {
    const hostile = ['a'.repeat(200), 'a.'.repeat(100), 'a ('.repeat(66), '😀'.repeat(200), '-'.repeat(200)];
    for (const text of hostile) expect(typeof heldFor(text, ['x'.repeat(50)])).toBeDefined();
  });
});
