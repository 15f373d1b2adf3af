import { expect, test } from 'vitest';
import { valuesOf, type ValueKind } from './values.ts';

test.each<[ValueKind, string, string, string[]]>([
  ['count', 'de', 'Im Saal stehen sechzig Stühle und fünfundzwanzig Tische.', ['sechzig', 'fünfundzwanzig']],
  ['count', 'fr', "Une centaine d'agents et treize élèves.", ['Une centaine', 'treize']],
  ['count', 'es', 'La clase tiene cuarenta alumnos.', ['cuarenta']],
  ['measure', 'en', 'It must be paid within ten working days.', ['ten working days']],
  ['measure', 'de', 'Die Frist beträgt zehn Werktage.', ['zehn Werktage']],
  ['measure', 'de', 'Die Wohnung hat 85 m² und 3 Zimmer.', ['85 m²']],
  ['measure', 'de', 'Das Entgelt beträgt 9,1 vom Hundert des Lohns.', ['9,1 vom Hundert']],
  ['measure', 'fr', 'Le local fait 120 mètres carrés.', ['120 mètres carrés']],
  ['measure', 'fr', 'Le trajet dure deux heures et demie.', ['deux heures et demie']],
  ['date', 'en', 'Closed on Tuesday, Wednesday and Saturday.', ['Tuesday', 'Wednesday', 'Saturday']],
  ['date', 'fr', 'Ouvert le mardi et le samedi.', ['mardi', 'samedi']],
  ['date', 'de', 'Im Jänner oder Februar, am Dienstag.', ['Februar', 'Dienstag']],
  ['money', 'de', 'Die Kaution beträgt zwei Monatsmieten.', ['zwei Monatsmieten']],
  [
    'money',
    'de',
    'Das Urlaubsgeld ist ein halbes Monatsgehalt, der Bonus drei Monatsgehälter.',
    ['drei Monatsgehälter'],
  ],
  [
    'money',
    'en',
    "The deposit is two months' rent, the fine three monthly salaries.",
    ["two months' rent", 'three monthly salaries'],
  ],
  ['money', 'fr', 'La caution est de deux mois de loyer.', ['deux mois de loyer']],
  ['money', 'es', 'La fianza es de dos mensualidades.', ['dos mensualidades']],
  ['date', 'en', 'Rent is payable on the first working day of each month.', ['first working day of each month']],
  ['date', 'de', 'Die Miete ist am ersten Werktag des Monats fällig.', ['ersten Werktag des Monats']],
])('%s in %s: %s', (kind, language, text, values) => {
  expect(valuesOf(text, kind, language).map((value) => value.text)).toEqual(values);
});
