/** Reads numbering.xml into the definitions for `Numbering`. */
import { Numbering } from '../../office/build/numbering.ts';
import type { NumberInstance, NumberLevel } from '../../office/build/numbering.ts';
import { attribute, child, childrenNamed, integerAttribute, isOn } from '../../office/xml/xml-element.ts';
import type { XmlElement } from '../../office/xml/xml-element.ts';

export function readNumbering(root: XmlElement | undefined): Numbering {
  const abstracts = new Map<string, Map<number, NumberLevel>>();
  const styleLinks = new Map<string, string>();
  const pending: [string, string][] = [];
  for (const element of childrenNamed(root, 'w:abstractNum')) {
    const id = attribute(element, 'w:abstractNumId') ?? '';
    abstracts.set(id, readLevels(element));
    const styleLink = attribute(child(element, 'w:styleLink'), 'w:val');
    if (styleLink !== undefined) styleLinks.set(styleLink, id);
    const numStyleLink = attribute(child(element, 'w:numStyleLink'), 'w:val');
    if (numStyleLink !== undefined) pending.push([id, numStyleLink]);
  }
  // A list that only names a style uses the levels of the list that defines the style.
  for (const [id, style] of pending) {
    const target = abstracts.get(styleLinks.get(style) ?? '');
    if (target) abstracts.set(id, target);
  }
  const instances = childrenNamed(root, 'w:num').map((element): [string, NumberInstance] => [
    attribute(element, 'w:numId') ?? '',
    readInstance(element),
  ]);
  return new Numbering(abstracts, new Map(instances));
}

function readLevels(element: XmlElement): Map<number, NumberLevel> {
  return new Map(
    childrenNamed(element, 'w:lvl').map((level) => [integerAttribute(level, 'w:ilvl') ?? 0, readLevel(level)]),
  );
}

function readLevel(level: XmlElement): NumberLevel {
  return {
    format: attribute(child(level, 'w:numFmt'), 'w:val') ?? 'decimal',
    text: attribute(child(level, 'w:lvlText'), 'w:val') ?? '',
    start: integerAttribute(child(level, 'w:start'), 'w:val') ?? 1,
    legal: isOn(child(level, 'w:isLgl')) ?? false,
    restart: integerAttribute(child(level, 'w:lvlRestart'), 'w:val'),
  };
}

function readInstance(element: XmlElement): NumberInstance {
  const instance: NumberInstance = {
    abstractId: attribute(child(element, 'w:abstractNumId'), 'w:val') ?? '',
    overrides: new Map(),
    startOverrides: new Map(),
  };
  for (const override of childrenNamed(element, 'w:lvlOverride')) {
    const index = integerAttribute(override, 'w:ilvl') ?? 0;
    const level = child(override, 'w:lvl');
    if (level) instance.overrides.set(index, readLevel(level));
    const start = integerAttribute(child(override, 'w:startOverride'), 'w:val');
    if (start !== undefined) instance.startOverrides.set(index, start);
  }
  return instance;
}
