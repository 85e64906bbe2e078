// A cache of positions, so that browsing a game needs no waiting. Keeps the most recently used ones.
// It knows neither games nor requests: its creator supplies the function that loads a position.
import type { Position } from "../api/shapes";

/** The most positions that are kept. One of a large board takes about 40 kB. */
const KEPT = 300;

export class Positions<Place> {
  private readonly kept = new Map<string, Promise<Position>>();

  constructor(
    private readonly keyOf: (place: Place) => string,
    private readonly load: (place: Place) => Promise<Position>,
  ) {}

  /** The position, which is loaded unless it is cached or being loaded. A failed load is repeated next time. */
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
