/** Receives multipart uploads: one `file` part, and the fields of a document before or after it. */
import { INPUT_LIMITS } from '@quire/shared/input-limits';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { ApiError, badRequest, type ErrorDetail } from '../errors.ts';
import type { DocumentFields, Upload } from '../domain/documents/types.ts';
import { checkBoundary } from './boundary.ts';
import { FIELD_NAMES, isSettable, SETTABLE_FIELDS } from './document-fields.ts';
import { parseFileName } from './file-name.ts';
import { readField } from './form-field.ts';
import { refuseTooLarge } from './request-body.ts';
import type { ReceivedUpload } from './route.ts';
import { contentTypeHint, discard, spoolRequest, type UploadSettings } from './upload.ts';
import { validate } from '../validation/details.ts';
import { decodeUtf8, parseJson } from '../validation/json.ts';
import { MISSING, problem, valueProblem, type Problem } from '../validation/problem.ts';

const MAX_PARTS = INPUT_LIMITS.formParts.max;
const MAX_FIELD_BYTES = INPUT_LIMITS.formField.max;

interface Form {
  upload?: Upload;
  fields: DocumentFields;
  /** Details by part, so that they are reported in the order of the fields. */
  problems: {
    file: ErrorDetail[];
    fields: Partial<Record<keyof DocumentFields, ErrorDetail[]>>;
    others: ErrorDetail[];
  };
}

/** Receives the form: of a `document` with its fields, of a `file` with nothing else. */
export async function receiveForm(
  request: FastifyRequest,
  settings: UploadSettings,
  kind: 'document' | 'file' = 'document',
): Promise<ReceivedUpload> {
  const form: Form = { fields: {}, problems: { file: [], fields: {}, others: [] } };
  try {
    checkBoundary(request);
    if (request.isMultipart()) await readParts(request, form, settings, kind === 'document');
    const { file, fields, others } = form.problems;
    if (form.upload === undefined && file.length === 0) file.push(detail('file', MISSING));
    const ofFields = FIELD_NAMES.flatMap((name) => fields[name] ?? []);
    const problems = [...file, ...ofFields, ...others];
    if (form.upload === undefined || problems.length > 0) throw new ApiError(422, problems);
    return { upload: form.upload, ...form.fields };
  } catch (error) {
    if (form.upload !== undefined) await discard(form.upload);
    // The rest of the body is drained, so that the client reads the answer.
    request.raw.unpipe();
    request.raw.resume();
    throw asBadRequest(error, MAX_PARTS);
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
    else if (described && isSettable(part.fieldname))
      readDocumentField(form, part.fieldname, await readField(request, part, MAX_FIELD_BYTES, settings.traffic));
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

function readDocumentField(form: Form, name: keyof DocumentFields, bytes: Buffer): void {
  const { schema, part } = SETTABLE_FIELDS[name];
  const loc = ['body', name];
  const text = decodeUtf8(bytes);
  const parsed = part === 'json' ? parseJson(text, loc) : { value: text };
  const checked = 'value' in parsed ? validate<unknown>(schema, parsed.value, loc) : parsed;
  if ('value' in checked) Object.assign(form.fields, { [name]: checked.value });
  else form.problems.fields[name] = checked.details;
}

/** Turns an error of the multipart library or its parser into a 400; returns any other error unchanged. */
export function asBadRequest(error: unknown, maxParts: number): unknown {
  if (error instanceof ApiError || !(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'FST_PARTS_LIMIT' || code === 'FST_FILES_LIMIT') {
    return badRequest('The form has too many parts', { ctx: { limit: maxParts } });
  }
  const isOfTheForm =
    /^FST_(?:PARTS|FILES|PROTO|MP)|^FST_.*LIMIT/.test(code) ||
    /multipart|terminated early|boundary|aborted/i.test(`${code} ${error.message}`);
  return isOfTheForm ? badRequest(`The multipart form is broken: ${error.message}`) : error;
}
