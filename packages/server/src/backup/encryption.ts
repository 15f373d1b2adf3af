/** Encryption with a passphrase in the format of `age`, so that its command line tool can open a backup too. */
import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';
import { BackupError } from './archive.ts';

const MAGIC = 'age-encryption.org/v1';

export async function encrypt(source: Readable, passphrase: string): Promise<Readable> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  return toNode(await encrypter.encrypt(toWeb(source)));
}

/** Passes an unencrypted backup on unchanged. Throws a `BackupError` if the passphrase is missing or wrong. */
export async function decrypt(source: Readable, passphrase: string | null): Promise<Readable> {
  const iterator = (source as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < MAGIC.length) {
    const { value, done } = await iterator.next();
    if (done === true) break;
    head = Buffer.concat([head, value]);
  }
  const whole = Readable.from(continued(head, iterator));
  if (head.subarray(0, MAGIC.length).toString('latin1') !== MAGIC) return whole;
  if (passphrase === null) throw new BackupError('The backup is encrypted: set QUIRE_BACKUP_PASSPHRASE');
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return toNode(await decrypter.decrypt(toWeb(whole)));
  } catch (error) {
    throw new BackupError('The backup cannot be decrypted: the passphrase is wrong', { cause: error });
  }
}

async function* continued(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/** A stream of plain `Uint8Array`s, one per piece, read only as fast as it is consumed. */
function toWeb(source: Readable): ReadableStream<Uint8Array<ArrayBuffer>> {
  const iterator = (source as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { value, done } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

async function* pieces(stream: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const piece of stream) yield Buffer.from(piece);
}

const toNode = (stream: unknown): Readable => Readable.from(pieces(stream as ReadableStream<Uint8Array>));
