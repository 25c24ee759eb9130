import type { UploadKind, UploadView } from '@paywatch/domain/contract';
import { OVERLAY_IMAGES, OVERLAY_SOUNDS, type OverlayTier } from '@paywatch/domain/overlay';
import { Select } from '../form/form.tsx';

type Media = Pick<OverlayTier, 'image' | 'image_upload' | 'sound' | 'sound_upload'>;

type MediaSelectsProps = {
  /** Of the ids of the fields. */
  prefix?: string;
  media: Media;
  uploads: readonly UploadView[];
  words: {
    image: string;
    images: Readonly<Record<OverlayTier['image'], string>>;
    sound: string;
    sounds: Readonly<Record<OverlayTier['sound'], string>>;
  };
  onChange: (change: Partial<Media>) => void;
};

/** The picture and the sound of alerts: built in, or uploaded. */
export function MediaSelects({ prefix = '', media, uploads, words, onChange }: MediaSelectsProps) {
  const { image, image_upload: ownImage, sound, sound_upload: ownSound } = media;
  return (
    <>
      <Select
        id={`${prefix}image`}
        label={words.image}
        value={ownImage ?? image}
        options={[
          ...OVERLAY_IMAGES.map((name) => [name, words.images[name]] as const),
          ...optionsOf(uploads, 'image'),
        ]}
        onValue={(chosen) => onChange(imageChange(chosen))}
      />
      <Select
        id={`${prefix}sound`}
        label={words.sound}
        value={ownSound ?? sound}
        options={[
          ...OVERLAY_SOUNDS.map((name) => [name, words.sounds[name]] as const),
          ...optionsOf(uploads, 'sound'),
        ]}
        onValue={(chosen) => onChange(soundChange(chosen))}
      />
    </>
  );
}

function optionsOf(uploads: readonly UploadView[], kind: UploadKind): (readonly [string, string])[] {
  return uploads.filter((upload) => upload.kind === kind).map(({ id, name }) => [id, name]);
}

/** The built-in picture stays beside an uploaded one: it is shown if the upload is deleted. */
function imageChange(chosen: string): Partial<Media> {
  const builtIn = OVERLAY_IMAGES.find((name) => name === chosen);
  return builtIn === undefined ? { image_upload: chosen } : { image: builtIn, image_upload: null };
}

function soundChange(chosen: string): Partial<Media> {
  const builtIn = OVERLAY_SOUNDS.find((name) => name === chosen);
  return builtIn === undefined ? { sound_upload: chosen } : { sound: builtIn, sound_upload: null };
}
