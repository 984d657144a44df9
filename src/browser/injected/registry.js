// Names for elements that outlive one call: tokens for the host, refs for snapshots.

/** Gives each element one key for as long as it lives, and finds it again without keeping it alive. */
class Registry {
  #prefix;
  #count = 0;
  #keys = new WeakMap();
  #elements = new Map();
  #collected = new FinalizationRegistry((key) => this.#elements.delete(key));

  constructor(prefix) {
    this.#prefix = prefix;
  }

  /** The number of the last key. */
  get count() {
    return this.#count;
  }

  /** Gives no key below this number from now on. */
  countFrom(number) {
    this.#count = Math.max(this.#count, number - 1);
  }

  has(element) {
    return this.#keys.has(element);
  }

  keyOf(element) {
    let key = this.#keys.get(element);
    if (!key) {
      this.#count += 1;
      key = `${this.#prefix}${this.#count}`;
      this.#keys.set(element, key);
      this.#elements.set(key, new WeakRef(element));
      this.#collected.register(element, key);
    }
    return key;
  }

  get(key) {
    return this.#elements.get(key)?.deref() ?? null;
  }
}

const tokens = new Registry("t");
const refs = new Registry("e");
