import { expect, it } from 'vitest';
import { styleOfName, withoutSubset } from './font-names.ts';

it.each([
  'CMBX12',
  'ABCDEF+CMSSBX10',
  'QWERTY+t1xbtt',
  'SFBX1440',
  'SFSX1095',
  'ecbx1000',
  'NimbusRomNo9L-Medi',
  'LMSans10-DemiCondensed',
  'TeXGyreHeros-Bold',
])('recognises %s as bold', (name) => {
  expect(styleOfName(withoutSubset(name)).bold).toBe(true);
});

it.each(['CMR10', 'ABCDEF+CMSS10', 'SFRM1000', 't1xtt', 'ecrm1000', 'CMSY10', 'SFTT1000'])(
  'recognises %s as not bold',
  (name) => {
    expect(styleOfName(withoutSubset(name)).bold).toBe(false);
  },
);

it.each([
  ['Times-Roman', true],
  ['Helvetica', true],
  ['NimbusRomNo9L-Regu', true],
  ['Times-Italic', true],
  ['Times-BoldItalic', false],
  ['NimbusRomNo9L-Medi', false],
  ['F12', false],
])('reads from the name %s whether the font is surely regular: %s', (name, regular) => {
  expect(styleOfName(name).regular).toBe(regular);
});
