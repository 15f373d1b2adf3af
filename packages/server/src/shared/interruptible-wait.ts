/** A wait that another caller may end early; one at a time. */
export class InterruptibleWait {
  #end: (() => void) | undefined;

  /** Resolves after the time, in ms, or when `end` is called. */
  async for(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#end = undefined;
  }

  /** Ends the present wait, if there is one. */
  end(): void {
    this.#end?.();
  }
}
