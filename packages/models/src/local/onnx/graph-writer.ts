/**
 * Builds an ONNX graph node by node and writes it as a model file. Field numbers are those of onnx.proto (ONNX 1.16, IR
 * version 9). Weights are stored in the file itself, which protobuf limits to 2 GB.
 */
import { MessageWriter } from './protobuf.ts';

/** The used values of TensorProto.DataType. */
const ELEMENT_TYPES = { float: 1, uint8: 2, int8: 3, int32: 6, int64: 7 } as const;
export type ElementType = keyof typeof ELEMENT_TYPES;

export interface Tensor {
  type: ElementType;
  dimensions: readonly number[];
  /** Little-endian, row by row. */
  data: Uint8Array;
}

export type Attribute = number | string | { float: number };

export interface NodeOptions {
  outputs?: number;
  attributes?: Readonly<Record<string, Attribute>>;
  /** Domain of the operator; default: the standard one. */
  domain?: string;
}

const IR_VERSION = 9;
const OPSET = 17;
/** onnxruntime's own operators, in its CPU provider since 1.17 at the latest. */
export const RUNTIME_DOMAIN = 'com.microsoft';

export class GraphWriter {
  readonly #graph = new MessageWriter();
  readonly #initializers = new MessageWriter();
  readonly #ends = new MessageWriter();
  #names = 0;

  /** Strings in `dimensions` are sizes known only at run time. */
  input(name: string, type: ElementType, dimensions: readonly (number | string)[]): string {
    this.#ends.message(11, valueInfo(name, type, dimensions));
    return name;
  }

  output(name: string, type: ElementType, dimensions: readonly (number | string)[]): void {
    this.#ends.message(12, valueInfo(name, type, dimensions));
  }

  constant(tensor: Tensor): string {
    const name = this.#nextName();
    const message = new MessageWriter();
    for (const size of tensor.dimensions) message.integer(1, size);
    message.integer(2, ELEMENT_TYPES[tensor.type]).text(8, name).bytes(9, tensor.data);
    this.#initializers.message(5, message);
    return name;
  }

  floats(values: Float32Array, dimensions: readonly number[] = [values.length]): string {
    return this.constant({ type: 'float', dimensions, data: bytesOf(values) });
  }

  integers(values: readonly number[], dimensions: readonly number[] = [values.length]): string {
    return this.constant({ type: 'int64', dimensions, data: bytesOf(BigInt64Array.from(values, BigInt)) });
  }

  /** Adds a node and returns the name of its output; an empty input name is an omitted optional input. */
  node(operator: string, inputs: readonly string[], options: NodeOptions = {}): string {
    const [first] = this.nodeWithOutputs(operator, inputs, { ...options, outputs: 1 });
    if (first === undefined) throw new Error('A node has an output');
    return first;
  }

  nodeWithOutputs(operator: string, inputs: readonly string[], options: NodeOptions): string[] {
    const outputs = Array.from({ length: options.outputs ?? 1 }, () => this.#nextName());
    this.#addNode(operator, inputs, outputs, options);
    return outputs;
  }

  /** Names a value as an output. */
  rename(value: string, name: string): void {
    this.#addNode('Identity', [value], [name], {});
  }

  finish(): Uint8Array {
    const graph = this.#graph.text(2, 'encoder').append(this.#initializers).append(this.#ends);
    const model = new MessageWriter().integer(1, IR_VERSION).text(2, 'quire').message(7, graph);
    model.message(8, new MessageWriter().text(1, '').integer(2, OPSET));
    model.message(8, new MessageWriter().text(1, RUNTIME_DOMAIN).integer(2, 1));
    return model.finish();
  }

  #addNode(operator: string, inputs: readonly string[], outputs: readonly string[], options: NodeOptions): void {
    const node = new MessageWriter();
    for (const name of inputs) node.text(1, name);
    for (const name of outputs) node.text(2, name);
    node.text(4, operator);
    for (const [name, value] of Object.entries(options.attributes ?? {})) node.message(5, attribute(name, value));
    if (options.domain !== undefined) node.text(7, options.domain);
    this.#graph.message(1, node);
  }

  #nextName(): string {
    return `v${this.#names++}`;
  }
}

/** Integers become integer attributes; a float with an integer value is given as `{ float }`. */
function attribute(name: string, value: Attribute): MessageWriter {
  const message = new MessageWriter().text(1, name);
  if (typeof value === 'string') return message.text(4, value).integer(20, 3);
  if (typeof value === 'number') return message.integer(3, value).integer(20, 2);
  return message.float(2, value.float).integer(20, 1);
}

function valueInfo(name: string, type: ElementType, dimensions: readonly (number | string)[]): MessageWriter {
  const shape = new MessageWriter();
  for (const size of dimensions) {
    const dimension = new MessageWriter();
    shape.message(1, typeof size === 'number' ? dimension.integer(1, size) : dimension.text(2, size));
  }
  const tensor = new MessageWriter().integer(1, ELEMENT_TYPES[type]).message(2, shape);
  return new MessageWriter().text(1, name).message(2, new MessageWriter().message(1, tensor));
}

function bytesOf(values: Float32Array | BigInt64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
