import { describe, expect, test } from 'vitest';
import type { BlockDraft } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import { readSchema } from '../../schema/read-schema.ts';
import { extractTree } from '../extract-tree.ts';

const heading = (level: number, text: string): BlockDraft => ({ type: 'heading', level, text, page: 1 });
const paragraph = (text: string): BlockDraft => ({ type: 'paragraph', text, page: 1 });
const item = (text: string): BlockDraft => ({ type: 'listItem', text, page: 1 });
const text = { type: 'string' };
const list = (properties: object): object => ({ type: 'array', items: { type: 'object', properties } });
const read = (properties: object, blocks: BlockDraft[], language = 'en'): unknown =>
  extractTree(
    finishTree({ blocks, pageCount: 1, title: null, warnings: [] }, language),
    readSchema({ type: 'object', properties }),
  ).data;

const CV = {
  workExperience: list({
    jobTitle: text,
    company: text,
    startDate: text,
    endDate: text,
    highlights: { type: 'array', items: text },
  }),
  education: list({ degree: text, institution: text, endDate: text }),
};

describe('records below a heading', () => {
  test('with headings of their own', () => {
    const blocks = [
      heading(1, 'Mira Holm'),
      heading(2, 'Professional experience'),
      heading(3, 'Senior engineer, Petersen Ltd'),
      paragraph('March 2019 – present'),
      item('Runs the test bench'),
      item('Leads four people'),
      heading(3, 'Engineer, Brandt GmbH'),
      paragraph('2015 – 2019'),
      item('Wrote control software'),
      heading(2, 'Education'),
      heading(3, 'MSc Physics'),
      paragraph('University of Kiel, 2015'),
    ];
    expect(read(CV, blocks)).toEqual({
      workExperience: [
        {
          jobTitle: 'Senior engineer',
          company: 'Petersen Ltd',
          startDate: 'March 2019',
          endDate: 'present',
          highlights: ['Runs the test bench', 'Leads four people'],
        },
        {
          jobTitle: 'Engineer',
          company: 'Brandt GmbH',
          startDate: '2015',
          endDate: '2019',
          highlights: ['Wrote control software'],
        },
      ],
      education: [{ degree: 'MSc Physics', institution: 'University of Kiel', endDate: '2015' }],
    });
  });

  test('with periods on a line of each record, below a line in capitals', () => {
    const blocks = [
      paragraph('WORK EXPERIENCE'),
      paragraph('Petersen Ltd | 2019 – 2031'),
      paragraph('Senior engineer'),
      paragraph('Runs the test bench and leads four people in two workshops near the harbour.'),
      paragraph('Hafenwerk | 2015 – 2019'),
      paragraph('Engineer'),
      paragraph('Wrote the control software of cranes, and tested it on two ships in the North Sea.'),
      paragraph('EDUCATION'),
      paragraph('2010 – 2015 MSc Physics, University of Kiel'),
    ];
    const shown = read(CV, blocks) as { workExperience: unknown[]; education: unknown[] };
    expect(shown.workExperience).toMatchObject([
      { jobTitle: 'Senior engineer', company: 'Petersen Ltd', startDate: '2019', endDate: '2031' },
      { jobTitle: 'Engineer', company: 'Hafenwerk', startDate: '2015', endDate: '2019' },
    ]);
    expect(shown.education).toEqual([{ degree: 'MSc Physics', institution: 'University of Kiel', endDate: '2015' }]);
  });

  test('with a line each, in German and English', () => {
    const german = [
      heading(2, 'Berufserfahrung'),
      item('03/2019 – heute: Entwicklerin bei Nordlicht'),
      item('2015 bis 2019: Assistentin bei Brandt GmbH'),
      heading(2, 'Hobbys'),
      item('Segeln'),
    ];
    const fields = { berufserfahrung: list({ position: text, arbeitgeber: text, beginn: text, ende: text }) };
    expect(read(fields, german, 'de')).toEqual({
      berufserfahrung: [
        { position: 'Entwicklerin', arbeitgeber: 'Nordlicht', beginn: '03/2019', ende: 'heute' },
        { position: 'Assistentin', arbeitgeber: 'Brandt GmbH', beginn: '2015', ende: '2019' },
      ],
    });
  });

  test('are not made of other sections, or of running text', () => {
    const blocks = [
      heading(2, 'Summary'),
      paragraph('Engineer with ten years of experience in control software, from 2015 to 2025 in Kiel.'),
      heading(2, 'Hobbies'),
      item('Sailing since 2015 – present'),
    ];
    expect(read(CV, blocks)).toEqual({});
  });
});
