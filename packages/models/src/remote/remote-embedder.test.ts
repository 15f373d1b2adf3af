import { expect, test } from 'vitest';
import { vectorSettings } from '../provider-settings.ts';
import { remoteModelId } from './remote-embedder.ts';

const settings = { provider: 'acme', model: 'large', baseUrl: 'https://acme.example/v1/', dimensions: 256 };

test('the id of a model has every setting that decides its vectors, and no other', () => {
  expect(remoteModelId(settings, 256)).toBe('acme/large/256@acme.example/v1');
  const further = { ...settings, language: 'de', languages: ['deu', 'eng'] };
  expect(remoteModelId(further, null)).toBe('acme/large@acme.example/v1?language=de&languages=deu,eng');
  const called = { ...settings, apiKey: 'secret', maxConcurrency: 2, requestsPerMinute: 60, configurationId: 'c1' };
  expect(remoteModelId(called, 256)).toBe(remoteModelId(settings, 256));
});

test('the settings of a model are recorded without its key and limits', () => {
  const config = { model: 'large', language: 'de', apiKey: 'secret', maxConcurrency: 2, requestsPerMinute: 60 };
  expect(vectorSettings({ ...config, dimensions: undefined })).toEqual({ model: 'large', language: 'de' });
});
