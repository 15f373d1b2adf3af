/** Returns a promise that resolves on `finish()` or after `maxMs`; its timer does not keep the process alive. */
export function boundedWait(maxMs: number): { soon: Promise<void>; finish: () => void } {
  let finish = (): void => undefined;
  if (maxMs === 0) return { soon: Promise.resolve(), finish };
  const soon = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, maxMs).unref();
    finish = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  return { soon, finish };
}
