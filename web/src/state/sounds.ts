// Short sounds, made by the browser's synthesizer. Called by the cues of a game.
import { settings } from "./settings";

/** Notes: the pitch in hertz, when it begins, and how long it lasts, in seconds. */
type Note = readonly [pitch: number, at: number, length: number];

const SOUNDS = {
  move: [[240, 0, 0.07]],
  score: [
    [660, 0, 0.09],
    [990, 0.09, 0.16],
  ],
  turn: [
    [440, 0, 0.09],
    [587, 0.1, 0.14],
  ],
  low: [
    [880, 0, 0.06],
    [880, 0.13, 0.06],
    [880, 0.26, 0.06],
  ],
  end: [
    [523, 0, 0.16],
    [392, 0.17, 0.16],
    [262, 0.34, 0.4],
  ],
} satisfies Record<string, readonly Note[]>;

export type Sound = keyof typeof SOUNDS;

const LOUDNESS = 0.14;
/** A note ends as silently as this, since an exponential ramp cannot reach 0. */
const SILENCE = 0.001;

let context: AudioContext | null = null;

/** Plays a sound, unless the person has switched sounds off or has not touched the page: browsers then play none. */
export function play(sound: Sound): void {
  if (!settings().sounds || !navigator.userActivation.hasBeenActive) return;
  context ??= new AudioContext();
  void context.resume();
  for (const note of SOUNDS[sound]) playNote(context, note);
}

function playNote(audio: AudioContext, [pitch, at, length]: Note): void {
  const start = audio.currentTime + at;
  const voice = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
  const volume = new GainNode(audio, { gain: LOUDNESS });
  volume.gain.setValueAtTime(LOUDNESS, start);
  volume.gain.exponentialRampToValueAtTime(SILENCE, start + length);
  voice.connect(volume).connect(audio.destination);
  voice.start(start);
  voice.stop(start + length);
}
