/** Time that passes only when everything waits. Plays events one after the other. */
export class Timeline {
  now = 0;
  readonly #due: { readonly at: number; readonly wake: () => void }[] = [];
  /** Called when the current player waits or is done. */
  #rest: () => void = () => {};

  /** Calls `act` at a time. */
  at(at: number, act: () => Promise<void> | void): void {
    const wake = () => {
      Promise.resolve(act()).then(
        () => this.#rest(),
        (error: unknown) => this.#fail(error),
      );
    };
    this.#due.push({ at, wake });
  }

  /** Lets time pass for the current player. */
  async sleep(ms: number): Promise<void> {
    await new Promise<void>((wake) => {
      this.#due.push({ at: this.now + ms, wake });
      this.#rest();
    });
  }

  #fail: (error: unknown) => void = () => {};

  /** Plays until nothing is left to do. */
  async play(): Promise<void> {
    while (this.#due.length > 0) {
      let next = 0;
      for (const [index, { at }] of this.#due.entries()) {
        if (at < (this.#due[next]?.at ?? 0)) next = index;
      }
      const [due] = this.#due.splice(next, 1);
      if (due === undefined) return;
      this.now = Math.max(this.now, due.at);
      await new Promise<void>((resolve, reject) => {
        this.#rest = resolve;
        this.#fail = reject;
        due.wake();
      });
    }
  }
}
