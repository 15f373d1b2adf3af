type Bytes = Uint8Array<ArrayBuffer>;
export type ByteStream = ReadableStream<Bytes>;

/** Returns a stream that reads the next piece only when the previous one was taken. */
export function toStream(content: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): ByteStream {
  if (content instanceof ReadableStream) return content as ByteStream;
  const pieces = content[Symbol.asyncIterator]();
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value as Bytes);
      },
      async cancel() {
        await pieces.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
