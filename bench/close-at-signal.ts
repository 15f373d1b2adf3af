/** Ends the process at SIGTERM or SIGINT after `close`, so that no service outlives the script that started it. */
export function closeAtSignal(close: () => Promise<void>): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      const end = (): void => process.exit(1);
      close().then(end, (error: unknown) => {
        console.error(error);
        end();
      });
    });
}
