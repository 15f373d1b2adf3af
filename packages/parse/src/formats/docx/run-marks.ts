/** Struck, raised and lowered text of Word (ISO/IEC 29500-1, 17.3.2: strike, dstrike, vertAlign, position). */
import type { MarkKind } from '@quire/blocks/block';
import { attribute, child, integerAttribute, isOn } from '../../office/xml/xml-element.ts';
import type { XmlElement } from '../../office/xml/xml-element.ts';

/** The properties that a run or a style sets; the others are inherited. */
export interface RunMarks {
  strike?: boolean;
  doubleStrike?: boolean;
  shift?: 'raised' | 'lowered' | 'none';
}

const ALIGNMENTS: Readonly<Record<string, RunMarks['shift']>> = {
  superscript: 'raised',
  subscript: 'lowered',
  baseline: 'none',
};
/** Offset from the base line, in half points, from which text is read as raised or lowered. */
const MIN_OFFSET = 4;

export function runMarks(properties: XmlElement | undefined): RunMarks {
  const strike = isOn(child(properties, 'w:strike'));
  const doubleStrike = isOn(child(properties, 'w:dstrike'));
  const shift = ALIGNMENTS[attribute(child(properties, 'w:vertAlign'), 'w:val') ?? ''] ?? offsetShift(properties);
  return {
    ...(strike === undefined ? {} : { strike }),
    ...(doubleStrike === undefined ? {} : { doubleStrike }),
    ...(shift === undefined ? {} : { shift }),
  };
}

function offsetShift(properties: XmlElement | undefined): RunMarks['shift'] {
  const offset = integerAttribute(child(properties, 'w:position'), 'w:val');
  if (offset === undefined || Math.abs(offset) < MIN_OFFSET) return undefined;
  return offset > 0 ? 'raised' : 'lowered';
}

export function marksOf({ strike, doubleStrike, shift }: RunMarks): MarkKind[] {
  const struck: MarkKind[] = strike === true || doubleStrike === true ? ['struck'] : [];
  return shift === undefined || shift === 'none' ? struck : [...struck, shift];
}
