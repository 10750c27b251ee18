/** The application's listeners, by the names of their events. */
export class Listeners {
  constructor(initial) {
    this.byName = new Map(Object.entries(initial).map(([name, listener]) => [name, new Set([listener])]));
  }

  /** Adds one; gives what removes it. */
  add(name, listener) {
    const set = this.byName.get(name) ?? new Set();
    this.byName.set(name, set.add(listener));
    return () => set.delete(listener);
  }

  /** Calls the listeners of an event. The only place where one is called: what it throws is reported, and changes nothing else. */
  emit(name, detail) {
    const [own, all] = [name, '*'].map((one) => [...(this.byName.get(one) ?? [])]);
    for (const listener of own) this.call(name, listener, detail);
    const named = { ...(detail instanceof Error ? { message: detail.message, error: detail } : detail), name };
    for (const listener of all) this.call(name, listener, named);
  }

  call(name, listener, detail) {
    try {
      const result = listener(detail);
      if (typeof result?.then === 'function') result.then(undefined, (error) => this.failed(name, error));
    } catch (error) {
      this.failed(name, error);
    }
  }

  /** To the listeners of `error`; where there is none, or one of them failed, to the console. */
  failed(name, thrown) {
    const error = thrown instanceof Error ? thrown : new Error(`a listener of ${name} threw what is no error`, { cause: thrown });
    if (name !== 'error' && this.byName.get('error')?.size) this.emit('error', error);
    else if (typeof globalThis.reportError === 'function') globalThis.reportError(error);
    else console.error(`a listener of the ASPAS client failed at the event ${name}:`, error);
  }
}
