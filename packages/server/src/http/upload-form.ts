/** Receives multipart uploads: one `file` part, and `metadata` (a JSON object) and `name` before or after it. */
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { ApiError, badRequest, type ErrorDetail } from '../errors.ts';
import type { Upload } from '../domain/documents/types.ts';
import { parseFileName, parseName } from './file-name.ts';
import { readField } from './form-field.ts';
import { refuseTooLarge } from './request-body.ts';
import type { ReceivedUpload } from './route.ts';
import { contentTypeHint, discard, spoolRequest, type UploadSettings } from './upload.ts';
import { validate } from '../validation/details.ts';
import { jsonObject } from '../validation/fields.ts';
import { decodeUtf8, parseJson } from '../validation/json.ts';
import { MISSING, problem, valueProblem, type Problem } from '../validation/problem.ts';

const MAX_PARTS = 100;
const MAX_FIELD_BYTES = 1024 * 1024;
const METADATA = jsonObject();

interface Form {
  upload?: Upload;
  name?: string;
  metadata?: Record<string, unknown>;
  /** Details by part, so that they are reported in the order of the fields. */
  problems: { file: ErrorDetail[]; metadata: ErrorDetail[]; name: ErrorDetail[]; others: ErrorDetail[] };
}

/** Receives the form: of a `document` with metadata and name, of a `file` with nothing else. */
export async function receiveForm(
  request: FastifyRequest,
  settings: UploadSettings,
  kind: 'document' | 'file' = 'document',
): Promise<ReceivedUpload> {
  const form: Form = { problems: { file: [], metadata: [], name: [], others: [] } };
  try {
    if (request.isMultipart()) await readParts(request, form, settings, kind === 'document');
    const { file, metadata, name, others } = form.problems;
    if (form.upload === undefined && file.length === 0) file.push(detail('file', MISSING));
    const problems = [...file, ...metadata, ...name, ...others];
    if (form.upload === undefined || problems.length > 0) throw new ApiError(422, problems);
    return { upload: form.upload, name: form.name, metadata: form.metadata };
  } catch (error) {
    if (form.upload !== undefined) await discard(form.upload);
    // The rest of the body is drained, so that the client reads the answer.
    request.raw.unpipe();
    request.raw.resume();
    throw asBadRequest(error);
  }
}

const detail = (part: string, found: Problem, input?: unknown): ErrorDetail => ({
  loc: ['body', part],
  ...found,
  ...(input === undefined ? {} : { input }),
});

async function readParts(
  request: FastifyRequest,
  form: Form,
  settings: UploadSettings,
  described: boolean,
): Promise<void> {
  // Every part is read as a stream: the library would parse JSON fields itself and hide their faults.
  const options = {
    isPartAFile: () => true,
    throwFileSizeLimit: false,
    limits: { parts: MAX_PARTS, files: MAX_PARTS, fileSize: Math.max(settings.maxFileBytes, MAX_FIELD_BYTES) + 1 },
  };
  for await (const part of request.parts(options)) {
    if (part.type !== 'file') continue;
    if (part.fieldname === 'file') await readFile(request, part, form, settings);
    else if (described && part.fieldname === 'metadata')
      readMetadata(form, await readField(request, part, MAX_FIELD_BYTES));
    else if (described && part.fieldname === 'name') readName(form, await readField(request, part, MAX_FIELD_BYTES));
    else {
      form.problems.others.push(
        detail(part.fieldname, problem('extra_forbidden', 'Extra inputs are not permitted').problem),
      );
      part.file.resume();
    }
  }
}

async function readFile(
  request: FastifyRequest,
  part: MultipartFile,
  form: Form,
  settings: UploadSettings,
): Promise<void> {
  const given: string | undefined = part.filename;
  if (given === undefined) {
    form.problems.file.push(detail('file', valueProblem("Expected UploadFile, received: <class 'str'>").problem));
    part.file.resume();
    return;
  }
  if (form.upload !== undefined) {
    throw new ApiError(413, [
      { loc: ['body', 'file'], msg: 'Only one file can be sent', type: 'too_many_files', ctx: { limit: 1 } },
    ]);
  }
  const name = parseFileName(given);
  if ('problem' in name) {
    form.problems.file.push(detail('file', name.problem));
    part.file.resume();
    return;
  }
  const spooled = await spoolRequest(request, part.file, settings);
  form.upload = { ...spooled, name: name.value, contentType: contentTypeHint(part.mimetype) };
  if (part.file.truncated) throw await refuseTooLarge(request.raw, 'file_too_large', settings.maxFileBytes);
}

function readMetadata(form: Form, bytes: Buffer): void {
  const parsed = parseJson(decodeUtf8(bytes), ['body', 'metadata']);
  const checked = 'value' in parsed ? validate(METADATA, parsed.value, ['body', 'metadata']) : parsed;
  if ('value' in checked) form.metadata = checked.value;
  else form.problems.metadata = checked.details;
}

function readName(form: Form, bytes: Buffer): void {
  const text = decodeUtf8(bytes);
  const parsed = parseName(text);
  if ('value' in parsed) form.name = parsed.value;
  else form.problems.name = [detail('name', parsed.problem, text)];
}

/** Turns an error of the multipart library or its parser into a 400; returns any other error unchanged. */
export function asBadRequest(error: unknown): unknown {
  if (error instanceof ApiError || !(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'FST_PARTS_LIMIT' || code === 'FST_FILES_LIMIT') return badRequest('The form has too many parts');
  const isOfTheForm =
    /^FST_(?:PARTS|FILES|PROTO|MP)|^FST_.*LIMIT/.test(code) ||
    /multipart|terminated early|boundary|aborted/i.test(`${code} ${error.message}`);
  return isOfTheForm ? badRequest(`The multipart form is broken: ${error.message}`) : error;
}
