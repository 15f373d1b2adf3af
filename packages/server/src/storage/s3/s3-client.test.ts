import { expect, onTestFinished, test } from 'vitest';
import { connectS3 } from './s3-client.ts';

test('the SDK prints no warning about the version of Node', async () => {
  const { version } = process;
  const warnings: string[] = [];
  const keep = ({ message }: Error): void => void warnings.push(message);
  process.on('warning', keep);
  Object.defineProperty(process, 'version', { value: 'v20.19.0', configurable: true });
  onTestFinished(() => {
    Object.defineProperty(process, 'version', { value: version, configurable: true });
    process.removeListener('warning', keep);
  });
  const location = {
    bucket: 'b',
    prefix: '',
    region: 'eu-north-1',
    endpoint: null,
    forcePathStyle: false,
    encryption: null,
  };
  connectS3(location, {}).destroy();
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});
