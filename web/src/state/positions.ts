// Positions that were looked at or will be soon, so that walking through a game waits for nobody. Keeps the newest only.
// Knows neither games nor requests: whoever makes one says how a position is loaded.
import type { Position } from "../api/shapes";

/** A position of a big board is some 40 kB of text. */
const KEPT = 300;

export class Positions<Place> {
  private readonly kept = new Map<string, Promise<Position>>();

  constructor(
    private readonly keyOf: (place: Place) => string,
    private readonly load: (place: Place) => Promise<Position>,
  ) {}

  /** The position, loaded unless it is here or on its way. What fails is asked for again the next time. */
  get(place: Place): Promise<Position> {
    const key = this.keyOf(place);
    const known = this.kept.get(key) ?? this.load(place);
    this.kept.delete(key);
    this.kept.set(key, known);
    known.catch(() => {
      if (this.kept.get(key) === known) this.kept.delete(key);
    });
    this.forget();
    return known;
  }

  private forget(): void {
    const [oldest] = this.kept.keys();
    if (this.kept.size > KEPT && oldest !== undefined) this.kept.delete(oldest);
  }
}
