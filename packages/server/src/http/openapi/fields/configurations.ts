/** Descriptions of the fields of model, embedder and parser configurations. */
import { field, type FieldDescription } from './field.ts';

export const CONFIGURATION_FIELDS: Record<string, FieldDescription> = {
  provider: field('Provider of the service.'),
  model: field('Name of the model, as the provider has it.', 'qwen3'),
  apiKey: field("The provider's API key; it is stored encrypted and comes back masked.", '••••wxyz'),
  baseUrl: field("Base address of the provider's API.", 'https://llm.example/v1'),
  dimensions: field('Length of the vectors.', 768),
  temperature: field('Sampling temperature, 0 to 2.', 0.2),
  contextTokens: field('Number of tokens that the model reads at most.', 32_768),
  maxOutputTokens: field('Maximum number of tokens in an answer.', 1_024),
  maxConcurrency: field('Maximum number of calls at the same time.', 4),
  requestsPerMinute: field('Maximum number of calls in a minute.', 60),
  ocr: field('When text is recognised in pictures.'),
  languages: field('Languages for the recognition of text, as Tesseract names them.', ['eng', 'deu']),
  jpegQuality: field('Quality of pages that are sent as JPEG, 1 to 100.', 80),
  maxPixels: field('Maximum number of pixels of a page that is sent.', 4_000_000),
  removeBoilerplate: field('Whether navigation and footers of web pages are left out.', true),
  'config.language': field('ISO 639 code of the language; by default it is detected.', 'en'),
};
