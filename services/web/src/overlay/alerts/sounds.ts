import type { OverlaySound } from '@paywatch/domain/overlay';
import type { AlertStyle } from '../settings.ts';
import { uploadUrl } from './alert-assets.ts';

/** Notes as start in seconds, frequency in hertz and length in seconds. */
const SOUNDS: Readonly<Record<OverlaySound, readonly (readonly [number, number, number])[]>> = {
  chime: [
    [0, 659, 0.9],
    [0.12, 988, 0.9],
  ],
  coin: [
    [0, 988, 0.12],
    [0.08, 1319, 0.6],
  ],
  bell: [
    [0, 523, 1.8],
    [0, 1046, 1.2],
    [0, 1569, 0.7],
  ],
  fanfare: [
    [0, 392, 0.25],
    [0.15, 523, 0.25],
    [0.3, 659, 0.25],
    [0.45, 784, 1.2],
  ],
};

/**
 * Plays sounds at a volume of 0 to 1: uploaded ones, and built-in ones, which it synthesizes. Silent at 0 or where the browser
 * blocks audio.
 */
export function createPlayer() {
  let audio: AudioContext | undefined;
  let file: HTMLAudioElement | undefined;
  const synthesize = (sound: OverlaySound, volume: number): void => {
    audio ??= new AudioContext();
    // Rejects if the sounds are ended before the browser allows them.
    if (audio.state === 'suspended') audio.resume().catch(() => undefined);
    for (const note of SOUNDS[sound]) playNote(audio, note, volume);
  };
  const stopFile = (): void => {
    file?.pause();
    file = undefined;
  };
  const playFile = (url: string, volume: number, onFailure: () => void): void => {
    const started = Object.assign(new Audio(url), { volume });
    file = started;
    // Rejects where the file cannot be loaded or decoded, where the browser blocks audio, and after a pause.
    started.play().catch(() => started === file && onFailure());
  };
  return {
    play: ({ sound, soundUpload }: Pick<AlertStyle, 'sound' | 'soundUpload'>, volume: number): void => {
      stopFile();
      if (volume === 0) return;
      const url = uploadUrl(soundUpload);
      if (url === undefined) synthesize(sound, volume);
      else playFile(url, volume, () => synthesize(sound, volume));
    },
    /** Ends all sounds. */
    stop: (): void => {
      stopFile();
      void audio?.close();
      audio = undefined;
    },
  };
}

/** The browser frees the audio nodes when the note ends. */
function playNote(
  audio: AudioContext,
  [startsAfter, frequency, seconds]: readonly [number, number, number],
  volume: number,
): void {
  const startSeconds = audio.currentTime + startsAfter;
  const loudness = new GainNode(audio, { gain: 0 });
  loudness.gain.setValueAtTime(0, startSeconds);
  loudness.gain.linearRampToValueAtTime(volume * 0.4, startSeconds + 0.01);
  loudness.gain.exponentialRampToValueAtTime(0.0001, startSeconds + seconds);
  const tone = new OscillatorNode(audio, { type: 'sine', frequency });
  tone.connect(loudness).connect(audio.destination);
  tone.start(startSeconds);
  tone.stop(startSeconds + seconds);
}
