// Values that this browser keeps, as JSON. A person may forbid it, or may have changed what is stored.

/** The value of this kind; `usual` if there is none, or if the browser stores nothing. */
export function stored<Value>(key: string, usual: Value): Value {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? "null") as Value | null) ?? usual;
  } catch {
    return usual;
  }
}

/** Stores the value, if the browser allows it. */
export function store(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Whoever forbids it loses what only makes the next visit easier.
  }
}
