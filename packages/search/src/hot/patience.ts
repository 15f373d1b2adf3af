/** A promise that resolves when it is told to, and after so long at the latest; it keeps no process from ending. */
export function patience(maxMs: number): { soon: Promise<void>; tell: () => void } {
  let tell = (): void => undefined;
  if (maxMs === 0) return { soon: Promise.resolve(), tell };
  const soon = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, maxMs).unref();
    tell = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  return { soon, tell };
}
