import { analyse } from '@quire/text/language/analyse';
import { expect, test } from 'vitest';
import { holdsTerm, readQuestion } from './question.ts';

/** Returns whether the text contains a word of the question, or the name that belongs to it. */
function isIn(text: string, word: string, language: string): boolean {
  const question = readQuestion(`Which ${word} are old?`, language);
  return analyse(word, language).every((term) => holdsTerm(new Set(analyse(text, language)), term, question));
}

test.each([
  ['Irish', 'Cork is a city of Ireland.', 'en'],
  ['Ireland', 'Cork is an Irish city.', 'en'],
  ['British', 'Leeds is in the United Kingdom.', 'en'],
  ['British', 'Leeds is in Britain.', 'en'],
  ['Angolan', 'Luanda is the capital of Angola.', 'en'],
  ['Norwegian', 'Oslo is the capital of Norway.', 'en'],
  ['Parisian', 'Montmartre is a part of Paris.', 'en'],
  ['Polish', 'Gdańsk is in Poland.', 'en'],
  ['irischen', 'Cork liegt in Irland.', 'de'],
  ['Irland', 'Cork ist eine irische Stadt.', 'de'],
  ['irlandais', 'Cork est une ville d’Irlande.', 'fr'],
  ['italiana', 'Milán es una ciudad de Italia.', 'es'],
  ['nationality', 'Ann Lee was an Irish painter.', 'en'],
  ['Nationalität', 'Ann Lee war eine irische Malerin.', 'de'],
  ['nationalité', 'Jean Roy était un peintre irlandais.', 'fr'],
  ['Ierse', 'Cork ligt in Ierland.', 'nl'],
])('“%s” is in “%s” (%s)', (word, text, language) => {
  expect(isIn(text, word, language)).toBe(true);
});

test.each([
  ['Irish', 'Turin is a city of Italy.', 'en'],
  ['Austrian', 'Perth is a city of Australia.', 'en'],
  ['American', 'Leeds is in the United Kingdom.', 'en'],
  ['nationality', 'Leeds is a town in the United Kingdom.', 'en'],
  ['Ann', 'Anna lives in Oslo.', 'en'],
  ['irischen', 'Turin liegt in Italien.', 'de'],
])('“%s” is not in “%s” (%s)', (word, text, language) => {
  expect(isIn(text, word, language)).toBe(false);
});
