import { describe, expect, test } from 'vitest';
import type { BlockDraft } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import { readSchema } from '../../schema/read-schema.ts';
import { extractTree } from '../extract-tree.ts';

function read(language: string, names: readonly string[], ...texts: string[]): unknown {
  const blocks = texts.map((text): BlockDraft => ({ type: 'paragraph', text, page: 1 }));
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const tree = finishTree({ blocks, pageCount: 1, title: null, warnings: [] }, language);
  return extractTree(tree, readSchema({ type: 'object', properties })).data;
}

describe('the party of a contract is found by the role behind its name', () => {
  test('in English', () => {
    const text =
      'This lease is made on 3 May 2021 between Quarry Homes Ltd ("Landlord") and Ada Brook (hereinafter called the "Tenant").';
    expect(read('en', ['landlord', 'tenant'], text)).toEqual({ landlord: 'Quarry Homes Ltd', tenant: 'Ada Brook' });
  });

  test('in German', () => {
    const landlord = 'Zwischen Inge Wolters, Torweg 4, 26121 Oldenburg – nachfolgend Vermieter genannt –';
    const tenant = 'und Herrn Tarik Sönmez, wohnhaft in 28195 Bremen, im Folgenden „Mieter“, wird vereinbart:';
    const signatures = 'Vermieter                        Mieter';
    expect(read('de', ['vermieter', 'mieter'], landlord, tenant, signatures)).toEqual({
      vermieter: 'Inge Wolters',
      mieter: 'Tarik Sönmez',
    });
  });

  test('in French, where an article may belong to the name', () => {
    const employer = "La société Les Ateliers du Lac, située à Annecy, ci-après dénommée « l'employeur »,";
    const employee = 'et Madame Lise Carlier, demeurant à Lyon, ci-après « le salarié »,';
    expect(read('fr', ['employeur', 'salarie'], employer, employee)).toEqual({
      employeur: 'Les Ateliers du Lac',
      salarie: 'Lise Carlier',
    });
  });

  test('in Spanish', () => {
    const employer = 'De una parte, Talleres Aro S.L., con domicilio en Bilbao, en adelante "la Empresa".';
    const employee = 'De otra parte, doña Nuria Campos, en lo sucesivo "la Trabajadora".';
    expect(read('es', ['empresa', 'trabajadora'], employer, employee)).toEqual({
      empresa: 'Talleres Aro S.L.',
      trabajadora: 'Nuria Campos',
    });
  });

  test('but not where the role has no name', () => {
    expect(read('en', ['landlord'], 'The rent is paid to the owner (the "Landlord") each month.')).toEqual({});
  });
});
