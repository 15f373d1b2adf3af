import { describe, expect, it } from 'vitest';
import { isPermitted } from './expression.ts';
import { findProblems } from './licences.ts';

describe('isPermitted', () => {
  const isMit = (licence: string): boolean => licence === 'MIT';

  it('needs one operand of OR and both operands of AND', () => {
    expect(
      ['MIT OR GPL-3.0', 'GPL-3.0 OR X', 'MIT AND GPL-3.0', 'MIT AND MIT'].map((e) => isPermitted(e, isMit)),
    ).toEqual([true, false, false, true]);
  });

  it('binds AND tighter than OR, except within parentheses', () => {
    expect(isPermitted('MIT OR X AND X', isMit)).toBe(true);
    expect(isPermitted('(MIT OR X) AND X', isMit)).toBe(false);
  });

  it.each(['', 'MIT OR', '(MIT', 'MIT)', 'SEE LICENSE', 'AND MIT'])('refuses %o', (expression) => {
    expect(() => isPermitted(expression, isMit)).toThrow(SyntaxError);
  });
});

describe('findProblems', () => {
  it('names production packages without a permitted licence', () => {
    const problems = findProblems({
      '': { license: 'UNKNOWN' },
      'packages/server': { version: '1.0.0' },
      'node_modules/fine': { version: '1.0.0', license: 'MIT' },
      'node_modules/fine/node_modules/@scope/copyleft': { version: '2.0.0', license: 'AGPL-3.0' },
      'node_modules/silent': { version: '3.0.0' },
      'node_modules/tool': { version: '4.0.0', license: 'GPL-3.0', dev: true },
      'node_modules/@quire/server': { link: true },
    });
    expect(problems).toEqual(['@scope/copyleft@2.0.0: AGPL-3.0', 'silent@3.0.0: no licence is named']);
  });

  it("permits the LGPL for sharp's libvips only", () => {
    const problems = findProblems({
      'node_modules/@img/sharp-libvips-linux-x64': { version: '1.0.0', license: 'LGPL-3.0-or-later' },
      'node_modules/other': { version: '1.0.0', license: 'LGPL-3.0-or-later' },
    });
    expect(problems).toEqual(['other@1.0.0: LGPL-3.0-or-later']);
  });
});
