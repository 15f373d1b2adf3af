/**
 * Checks at the start what the service guarantees. Services that ignore `If-None-Match` or `Range` answer 200, and
 * data is lost or mixed later: LanceDB lost writes on such stores, and a resumed download would repeat bytes.
 */
import { randomUUID } from 'node:crypto';
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { S3StoreUnusable, statusOf } from './s3-errors.ts';
import type { S3Location } from './s3-location.ts';

export interface ProbeOptions {
  client: S3Client;
  location: S3Location;
  /** Parameters of every upload, such as those of encryption. */
  put: Pick<PutObjectCommand['input'], 'ServerSideEncryption' | 'SSEKMSKeyId'>;
}

/** Throws `S3StoreUnusable`, which names the bucket and the reason. */
export async function probeGuarantees({ client, location, put }: ProbeOptions): Promise<void> {
  const target = { Bucket: location.bucket, Key: `${location.prefix}probe/${randomUUID()}` };
  const upload = (): Promise<unknown> =>
    client.send(
      new PutObjectCommand({
        ...target,
        ...put,
        Body: Buffer.from('0123'),
        IfNoneMatch: '*',
        ChecksumAlgorithm: 'CRC32',
      }),
    );
  try {
    await upload();
  } catch (error) {
    throw unusable(location, `an object cannot be stored: ${describe(error)}`, error);
  }
  try {
    await requireRefusal(upload, location);
    const { Body, $metadata } = await client.send(new GetObjectCommand({ ...target, Range: 'bytes=1-2' }));
    const content = await Body?.transformToString();
    if ($metadata.httpStatusCode !== 206 || content !== '12') {
      throw unusable(location, 'it ignores the header Range (a request for two bytes returned the whole object)');
    }
  } catch (error) {
    if (error instanceof S3StoreUnusable) throw error;
    throw unusable(location, `an object cannot be read: ${describe(error)}`, error);
  } finally {
    // Left behind, the object costs four bytes.
    await client.send(new DeleteObjectCommand(target)).catch(() => undefined);
  }
}

async function requireRefusal(upload: () => Promise<unknown>, location: S3Location): Promise<void> {
  const status = await upload().then(
    () => 200,
    (error: unknown) => {
      const found = statusOf(error);
      if (found === undefined) throw error;
      return found;
    },
  );
  if (status === 412) return;
  throw unusable(location, `it ignores the header If-None-Match (a second upload answered ${status} and not 412)`);
}

function unusable({ bucket, endpoint }: S3Location, reason: string, cause?: unknown): S3StoreUnusable {
  const place = `${bucket}${endpoint === null ? '' : ` at ${endpoint}`}`;
  return new S3StoreUnusable(`The bucket ${place} cannot be used: ${reason}`, { cause });
}

/** Errors of the SDK name the failure by code; connection errors have only a message. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message === '' || error.name === error.message ? error.name : `${error.name}: ${error.message}`;
}
