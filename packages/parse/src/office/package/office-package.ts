/**
 * Opens a zip-based document: its parts by name (case-insensitive), their relationships, and their bytes. Inflated
 * bytes are counted against the limits of the parse, per part and in total, so a zip bomb fails early with `too_large`.
 */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { Inflate } from 'fflate';
import { ContentError } from '@quire/blocks/content-error';
import type { ParseContext, SourceFile } from '../../parser.ts';
import {
  readAt,
  readZipDirectory,
  TooManyMembersError,
  ZipFormatError,
  type ZipMember,
} from '../../archive/zip-directory.ts';
import { isCompoundFile } from '../../compound/compound-file.ts';
import { refuseEncryptedPackage } from '../../legacy/compound/open-compound.ts';
import { parseXml, parseXmlTree } from '../xml/parse-xml.ts';
import type { XmlHandler, XmlOptions } from '../xml/parse-xml.ts';
import type { XmlElement } from '../xml/xml-element.ts';
import { InflateBudget } from './inflate-budget.ts';
import { parseRelationships, relationshipsPath } from './relationships.ts';
import type { Relationship } from './relationships.ts';

/**
 * Size of one read in bytes. Deflate expands at most 1,032 times, so 16 KiB inflate to 16 MiB at most before they are
 * counted.
 */
const READ_BYTES = 16 * 1024;
/**
 * Maximum size of a part, packed and unpacked, that is inflated in one call, in bytes. One call takes a tenth of the
 * time.
 */
const SINGLE_CALL_BYTES = 4 * 1024 * 1024;
const LOCAL_HEADER_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

export class OfficePackage {
  readonly #descriptor: number;
  readonly #members: Map<string, ZipMember>;
  readonly #budget: InflateBudget;
  readonly #signal: AbortSignal;
  readonly #relationships = new Map<string, Relationship[]>();

  private constructor(descriptor: number, members: Map<string, ZipMember>, context: ParseContext) {
    this.#descriptor = descriptor;
    this.#members = members;
    this.#budget = new InflateBudget(context.limits);
    this.#signal = context.signal;
  }

  /** Opens the file for the duration of `use`. Throws `encrypted` for a compound file with an encrypted package. */
  static async use<T>(
    file: SourceFile,
    context: ParseContext,
    use: (officePackage: OfficePackage) => Promise<T> | T,
  ): Promise<T> {
    const descriptor = openSync(file.path, 'r');
    try {
      if (isCompoundFile(readAt(descriptor, 0, 8))) refuseEncryptedPackage(file);
      const members = readParts(descriptor, context.limits.maxArchiveEntries);
      return await use(new OfficePackage(descriptor, members, context));
    } finally {
      closeSync(descriptor);
    }
  }

  has(name: string): boolean {
    return this.#members.has(name.toLowerCase());
  }

  /** Returns the stored names of all parts. */
  names(): string[] {
    return Array.from(this.#members.values(), (member) => partName(member));
  }

  /** Yields the part's bytes as they are inflated. Throws `corrupt` if the part does not exist. */
  *chunks(name: string): Generator<Uint8Array> {
    const member = this.#members.get(name.toLowerCase());
    if (!member) throw new ContentError('corrupt', `The file is damaged: its part ${name} is missing`);
    if (member.encrypted) throw new ContentError('encrypted', 'The file is protected by a password');
    if (member.method !== STORED && member.method !== DEFLATED) {
      throw new ContentError('unsupported', `The file is compressed by an unsupported method (${member.method})`);
    }
    this.#budget.announce(member);
    let memberBytes = 0;
    for (const chunk of member.method === STORED ? this.#stored(member) : this.#inflated(member)) {
      memberBytes += chunk.length;
      this.#budget.spend(chunk.length, memberBytes, member);
      yield chunk;
    }
  }

  bytes(name: string): Buffer {
    return Buffer.concat([...this.chunks(name)]);
  }

  parse(name: string, handler: XmlHandler, options?: XmlOptions): void {
    parseXml(this.chunks(name), handler, options);
  }

  tree(name: string, options?: XmlOptions): XmlElement {
    return parseXmlTree(this.chunks(name), options);
  }

  /** Returns a secondary part; undefined if it is missing or damaged. Limits and forbidden content still throw. */
  optionalTree(name: string | undefined, options?: XmlOptions): XmlElement | undefined {
    if (name === undefined || !this.has(name)) return undefined;
    try {
      return this.tree(name, options);
    } catch (error) {
      if (error instanceof ContentError && error.type === 'corrupt' && error.cause !== undefined) return undefined;
      throw error;
    }
  }

  /** Returns the relationships of the part; `''` is the package itself. */
  relationships(partName: string): readonly Relationship[] {
    let relationships = this.#relationships.get(partName);
    if (relationships) return relationships;
    const path = relationshipsPath(partName);
    relationships = this.has(path) ? parseRelationships(partName, this.chunks(path)) : [];
    this.#relationships.set(partName, relationships);
    return relationships;
  }

  /** Returns the first existing related part of the type. */
  relatedPart(partName: string, type: string): string | undefined {
    return this.relationships(partName).find((each) => each.type === type && !each.external && this.has(each.target))
      ?.target;
  }

  #raw(member: ZipMember): { start: number; end: number } {
    const header = readAt(this.#descriptor, member.offset, LOCAL_HEADER_BYTES);
    if (header.length < LOCAL_HEADER_BYTES || header.readUInt32LE(0) !== 0x04034b50) {
      throw new ContentError('corrupt', `The file is damaged: its part ${member.name} cannot be found`);
    }
    const start = member.offset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
    return { start, end: start + member.compressedBytes };
  }

  *#stored(member: ZipMember): Generator<Uint8Array> {
    const { start, end } = this.#raw(member);
    for (let position = start; position < end; position += READ_BYTES) {
      this.#signal.throwIfAborted();
      yield readAt(this.#descriptor, position, Math.min(READ_BYTES, end - position));
    }
  }

  /**
   * Returns undefined for a large part, and for one that is damaged or larger than declared; these are inflated in
   * pieces.
   */
  #inflatedInOneCall(member: ZipMember, start: number, end: number): Buffer | undefined {
    const { declaredBytes } = member;
    if (declaredBytes === 0 || declaredBytes > SINGLE_CALL_BYTES || end - start > SINGLE_CALL_BYTES) return undefined;
    this.#signal.throwIfAborted();
    return inflateAtMost(readAt(this.#descriptor, start, end - start), declaredBytes);
  }

  *#inflated(member: ZipMember): Generator<Uint8Array> {
    const output: Uint8Array[] = [];
    const inflate = new Inflate((chunk) => {
      if (chunk.length > 0) output.push(chunk);
    });
    const { start, end } = this.#raw(member);
    const whole = this.#inflatedInOneCall(member, start, end);
    if (whole !== undefined) {
      yield whole;
      return;
    }
    for (let position = start; position < end; position += READ_BYTES) {
      this.#signal.throwIfAborted();
      const piece = readAt(this.#descriptor, position, Math.min(READ_BYTES, end - position));
      try {
        inflate.push(piece, position + READ_BYTES >= end);
      } catch (error) {
        throw new ContentError('corrupt', `The file is damaged: its part ${member.name} cannot be unpacked`, {
          cause: error,
        });
      }
      yield* output.splice(0);
    }
  }
}

/** Returns the bytes of a part; undefined if they differ from the declaration. */
function inflateAtMost(packed: Uint8Array, bytes: number): Buffer | undefined {
  try {
    return inflateRawSync(packed, { maxOutputLength: bytes, chunkSize: Math.max(64, bytes) });
  } catch {
    return undefined;
  }
}

/** Some writers use backslashes or a leading slash. */
const partName = ({ name }: ZipMember): string => name.replaceAll('\\', '/').replace(/^\/+/, '');

/** Returns the parts by path in lower case; of two with the same name, the first. */
function readParts(descriptor: number, maxParts: number): Map<string, ZipMember> {
  const parts = new Map<string, ZipMember>();
  try {
    for (const member of readZipDirectory(descriptor, fstatSync(descriptor).size, maxParts).members) {
      const key = partName(member).toLowerCase();
      if (!parts.has(key)) parts.set(key, member);
    }
  } catch (error) {
    if (error instanceof TooManyMembersError) {
      throw new ContentError('too_large', `The file has more than ${maxParts} parts`, { cause: error });
    }
    if (!(error instanceof ZipFormatError)) throw error;
    throw new ContentError('corrupt', 'The file is damaged: its zip directory cannot be read', { cause: error });
  }
  return parts;
}
