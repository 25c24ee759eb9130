/** Frequencies in hertz, and seconds. */
const NOTES = [880, 1318.5];
const NOTE_SECONDS = 0.18;
const VOLUME = 0.3;

let context: AudioContext | undefined;

/** Call it in the handler of a tap: browsers allow sound only after one. */
export function allowTone(): void {
  context ??= 'AudioContext' in window ? new AudioContext() : undefined;
  // A phone that forbids sound shows the payment all the same.
  context?.resume().catch(() => undefined);
}

/** Plays two rising notes. Silent if the browser allows no sound. */
export function playTone(): void {
  if (context === undefined) return;
  const startSeconds = context.currentTime;
  for (const [index, frequency] of NOTES.entries())
    playNote(context, frequency, startSeconds + index * NOTE_SECONDS);
}

/** The volume ends softly, since a note that is cut off clicks. */
function playNote(audio: AudioContext, frequency: number, atSeconds: number): void {
  const note = new OscillatorNode(audio, { frequency });
  const volume = new GainNode(audio, { gain: VOLUME });
  volume.gain.setValueAtTime(VOLUME, atSeconds);
  volume.gain.exponentialRampToValueAtTime(0.001, atSeconds + NOTE_SECONDS * 2);
  note.connect(volume).connect(audio.destination);
  note.start(atSeconds);
  note.stop(atSeconds + NOTE_SECONDS * 2);
}
