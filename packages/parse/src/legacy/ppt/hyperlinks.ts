/** Reads hyperlinks: the document stores their addresses, texts refer to them by number ([MS-PPT] 2.10.16). */
import { childRecords, recordsOfType, RecordType } from './records.ts';
import type { PptRecord } from './records.ts';

/** Addresses by hyperlink number. */
export type Addresses = ReadonlyMap<number, string>;

const TARGET = 1;

export function readAddresses(stream: Buffer, document: PptRecord): Addresses {
  const addresses = new Map<number, string>();
  for (const objects of recordsOfType(stream, document, RecordType.externalObjects)) {
    for (const link of recordsOfType(stream, objects, RecordType.hyperlink)) {
      let id: number | undefined;
      let address = '';
      for (const record of childRecords(stream, link)) {
        if (record.type === RecordType.hyperlinkNumber && record.end - record.start >= 4)
          id = stream.readUInt32LE(record.start);
        if (record.type === RecordType.string && record.instance === TARGET)
          address = stream.toString('utf16le', record.start, record.end);
      }
      if (id !== undefined && address !== '') addresses.set(id, address);
    }
  }
  return addresses;
}

/** Returns the hyperlink number of an action; undefined for other actions. */
export function linkedNumber(stream: Buffer, action: PptRecord): number | undefined {
  for (const atom of childRecords(stream, action)) {
    if (atom.type !== RecordType.interactionAtom || atom.end - atom.start < 8) continue;
    const id = stream.readUInt32LE(atom.start + 4);
    return id === 0 ? undefined : id;
  }
  return undefined;
}
