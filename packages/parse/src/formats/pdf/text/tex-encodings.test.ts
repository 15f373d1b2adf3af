import { expect, it } from 'vitest';
import { texCharacter } from './tex-encodings.ts';

it.each([
  ['CMEX10', 0x22, '['],
  ['ABCDEF+CMEX10', 0x50, '∑'],
  ['CMEX10', 0x5a, '∫'],
  ['CMEX10', 0x70, '√'],
  ['CMSY10', 0x00, '−'],
  ['CMSY10', 0x32, '∈'],
  ['CMSY8', 0x49, 'I'],
  ['CMSY10', 0x68, '⟨'],
  ['CMSY10', 0x72, '∇'],
  ['CMSY10', 0x7a, '‡'],
  ['CMMI10', 0x0b, 'α'],
  ['CMMI10', 0x21, 'ω'],
  ['CMMI10', 0x40, '∂'],
  ['Times', 0x22, undefined],
])('maps a code of %s: %i is %s', (name, code, character) => {
  expect(texCharacter(code, { name, bold: false, italic: false, monospace: false })).toBe(character);
});
