/** Servers of the S3 API with one bucket: in memory, versitygw and SeaweedFS. Only imported by tests. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AwsV4Signer } from 'aws4fetch';
import { encodeKey } from '../../kinds/object-storage/keys.ts';
import { freePort, startProgram } from '../programs.ts';
import { BUCKET, KEYS, startS3Server } from '../s3-server.ts';

export interface ObjectStore {
  port: number;
  put(key: string, bytes: Buffer): Promise<void>;
  remove(key: string): Promise<void>;
  read(key: string): Promise<Buffer>;
  close(): Promise<void>;
}

export async function memoryStore(): Promise<ObjectStore> {
  const server = await startS3Server();
  return {
    port: server.port,
    put: async (key, bytes) => server.write(key, bytes),
    remove: async (key) => void server.objects.delete(key),
    read: async (key) => server.objects.get(key)!.bytes,
    close: () => server.close(),
  };
}

export async function versityStore(program: string): Promise<ObjectStore> {
  const folder = mkdtempSync(path.join(tmpdir(), 'quire-versitygw-'));
  mkdirSync(path.join(folder, BUCKET));
  const port = await freePort();
  const env = { ROOT_ACCESS_KEY: KEYS.accessKeyId, ROOT_SECRET_KEY: KEYS.secretAccessKey };
  const args = ['--port', `127.0.0.1:${port}`, '--region', 'us-east-1', 'posix', folder];
  const running = await startProgram(program, args, port, env);
  return storeAt(port, async () => {
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  });
}

export async function seaweedStore(program: string): Promise<ObjectStore> {
  const folder = mkdtempSync(path.join(tmpdir(), 'quire-seaweedfs-'));
  const credentials = [{ accessKey: KEYS.accessKeyId, secretKey: KEYS.secretAccessKey }];
  const identities = [{ name: 'tests', credentials, actions: ['Admin', 'Read', 'Write', 'List'] }];
  writeFileSync(path.join(folder, 's3.json'), JSON.stringify({ identities }));
  const port = await freePort();
  const ports: string[] = [`-s3.port=${port}`];
  // The program has no option for the folder of these sockets, and leaves them behind.
  const sockets: string[] = [];
  for (const name of ['master', 'volume', 'filer', 's3']) {
    const grpcPort = await freePort();
    sockets.push(`/tmp/seaweedfs-${name}-grpc-${grpcPort}.sock`);
    ports.push(`-${name}.port.grpc=${grpcPort}`);
    if (name !== 's3') ports.push(`-${name}.port=${await freePort()}`);
  }
  const bound = ['-ip=127.0.0.1', '-ip.bind=127.0.0.1', '-s3.port.iceberg=0', '-s3.port.lance=0'];
  const small = ['-volume.max=5', '-master.volumeSizeLimitMB=64', '-master.telemetry=false', '-s3.iam=false'];
  const local = [`-filer.localSocket=${folder}/filer.sock`, `-s3.localSocket=${folder}/s3.sock`];
  const config = ['-filer', '-s3', `-dir=${folder}`, `-s3.config=${folder}/s3.json`, ...local];
  const args = ['-logtostderr=false', `-logdir=${folder}`, 'server', ...config, ...bound, ...small, ...ports];
  const running = await startProgram(program, args, port);
  const store = storeAt(port, async () => {
    await running.stop();
    for (const file of [...sockets, folder]) rmSync(file, { recursive: true, force: true });
  });
  // The gateway listens before its filer and volumes are ready.
  for (let tries = 0; ; tries += 1) {
    const error: unknown = await store.createBucket().then(
      () => null,
      (reason: unknown) => reason,
    );
    if (error === null) return store;
    if (tries === 100) throw error;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function storeAt(port: number, close: () => Promise<void>): ObjectStore & { createBucket(): Promise<void> } {
  const call = async (method: string, resource: string, body?: Buffer): Promise<Response> => {
    const signer = new AwsV4Signer({
      url: `http://127.0.0.1:${port}/${BUCKET}${resource}`,
      method,
      headers: { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
      ...KEYS,
      service: 's3',
      region: 'us-east-1',
    });
    const { url, headers } = await signer.sign();
    const response = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${resource}: ${response.status} ${await response.text()}`);
    return response;
  };
  const pathOf = (key: string): string => `/${encodeKey(key)}`;
  return {
    port,
    createBucket: async () => void (await call('PUT', '')),
    put: async (key, bytes) => void (await call('PUT', pathOf(key), bytes)),
    remove: async (key) => void (await call('DELETE', pathOf(key))),
    read: async (key) => Buffer.from(await (await call('GET', pathOf(key))).arrayBuffer()),
    close,
  };
}
