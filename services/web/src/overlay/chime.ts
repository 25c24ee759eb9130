const NOTES_HZ = [659.25, 987.77];
const NOTE_GAP_SECONDS = 0.12;
const NOTE_SECONDS = 0.9;

/** Creates a function that plays two short synthesized notes at a volume of 0 to 1. Silent at 0 or where the browser blocks audio. */
export function createChime(): (volume: number) => void {
  let audio: AudioContext | undefined;
  return (volume) => {
    if (volume === 0) return;
    audio ??= new AudioContext();
    if (audio.state === 'suspended') void audio.resume();
    for (const [index, hertz] of NOTES_HZ.entries()) playNote(audio, hertz, index * NOTE_GAP_SECONDS, volume);
  };
}

/** The browser frees the audio nodes when the note ends. */
function playNote(audio: AudioContext, hertz: number, afterSeconds: number, volume: number): void {
  const startSeconds = audio.currentTime + afterSeconds;
  const loudness = new GainNode(audio, { gain: 0 });
  loudness.gain.setValueAtTime(0, startSeconds);
  loudness.gain.linearRampToValueAtTime(volume * 0.4, startSeconds + 0.01);
  loudness.gain.exponentialRampToValueAtTime(0.0001, startSeconds + NOTE_SECONDS);
  const tone = new OscillatorNode(audio, { type: 'sine', frequency: hertz });
  tone.connect(loudness).connect(audio.destination);
  tone.start(startSeconds);
  tone.stop(startSeconds + NOTE_SECONDS);
}
