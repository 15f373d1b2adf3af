/** Reads OPC relationships: the `_rels/NAME.rels` file next to a part lists the parts and addresses it refers to. */
import { posix } from 'node:path';
import { parseXml } from '../xml/parse-xml.ts';

export interface Relationship {
  id: string;
  /**
   * Last segment of the type address (`image`, `styles`, `hyperlink`, …), which is the same in transitional and strict
   * files.
   */
  type: string;
  /** Path of a part, or the address if `external`. */
  target: string;
  external: boolean;
}

export function relationshipsPath(partName: string): string {
  return posix.join(posix.dirname(partName), '_rels', `${posix.basename(partName)}.rels`);
}

export function parseRelationships(partName: string, chunks: Iterable<Uint8Array>): Relationship[] {
  const relationships: Relationship[] = [];
  const folder = posix.dirname(partName);
  parseXml(chunks, {
    open(name, attributes) {
      if (name === 'Relationship') {
        const external = attributes['TargetMode']?.toLowerCase() === 'external';
        const target = attributes['Target'] ?? '';
        relationships.push({
          id: attributes['Id'] ?? '',
          type: (attributes['Type'] ?? '').split('/').at(-1) ?? '',
          target: external ? target : resolveTarget(folder, target),
          external,
        });
      }
      return false;
    },
  });
  return relationships;
}

function resolveTarget(folder: string, target: string): string {
  const path = target.replaceAll('\\', '/').replace(/#.*$/, '');
  const decoded = path.includes('%') ? decodePercent(path) : path;
  const joined = decoded.startsWith('/') ? decoded : posix.join('/', folder, decoded);
  return posix.normalize(joined).replace(/^\/+/, '');
}

function decodePercent(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
