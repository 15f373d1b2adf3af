import { expect, it } from 'vitest';
import { gibberishShare } from './gibberish.ts';

const ENGLISH = `The harbour master keeps a book in which every ship that enters the port is written down, with the day of
its arrival and its home port. Nobody has ever asked him what the book is for, and he would not have known what to
answer them. Every evening after supper the pages that were filled since morning are counted twice, signed below the
last line and locked away together with the lantern, the barometer readings and two letters from a distant cousin.`;
const POLISH = `Kapitan portu prowadzi księgę, w której zapisywany jest każdy statek wpływający do portu wraz z dniem
przybycia i portem macierzystym. Nikt nigdy nie zapytał go, do czego służy ta księga, a on sam nie wiedziałby, co im
odpowiedzieć. Codziennie wieczorem po kolacji strony zapełnione od rana są liczone dwukrotnie, podpisywane pod ostatnim
wierszem i zamykane razem z latarnią, odczytami barometru oraz dwoma listami od dalekiego kuzyna znad morza, który
dawno temu sam chciał zostać kapitanem statku handlowego.`;

/** Shifts letters, like a font with a private encoding. */
const shifted = (text: string): string =>
  text.replaceAll(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 97 + 3) % 26) + 97));

it('finds almost no gibberish in natural language', () => {
  expect(gibberishShare(ENGLISH.split(/\s+/))).toBe(0);
  expect(gibberishShare(POLISH.split(/\s+/))).toBeLessThan(0.05);
});

it('finds much gibberish in shifted letters', () => {
  expect(gibberishShare(shifted(ENGLISH).split(/\s+/))).toBeGreaterThan(0.3);
});

it('returns 0 for few words, numbers and other scripts', () => {
  expect(gibberishShare(['xkcd', 'qwrt'])).toBe(0);
  expect(gibberishShare(Array.from({ length: 60 }, (_, index) => String(10_000 + index)))).toBe(0);
  expect(gibberishShare(Array.from({ length: 60 }, () => 'Начальник'))).toBe(0);
});
