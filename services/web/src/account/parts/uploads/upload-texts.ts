import type { Language } from '../../../ui/language.ts';

const en = {
  heading: 'Your pictures and sounds',
  hint: 'Upload GIF, WebP, PNG or JPEG pictures, and MP3, OGG or WAV sounds of at most 10 seconds. At most 512 KB each, and 20 files. Then choose them above.',
  add: 'Upload a file',
  adding: 'Uploading…',
  added: (name: string) => `${name} is uploaded. You can choose it now.`,
  play: 'Play',
  stop: 'Stop',
  playName: (name: string, label: string) => `${label}: ${name}`,
  remove: 'Delete',
  removeAsk: (name: string) => `Delete ${name}?`,
  removeDetail:
    'Alerts that use it switch to the built-in picture or sound. Open overlays follow immediately.',
  imageFacts: (width: number, height: number, size: string) => `${width} × ${height} pixels, ${size}`,
  soundFacts: (seconds: string, size: string) => `${seconds} seconds, ${size}`,
  tooLarge: (size: string) => `The file is ${size}. The limit is 512 KB.`,
  problems: {
    file_not_supported:
      'The file is damaged or its type is not supported. Upload a GIF, WebP, PNG or JPEG picture, or an MP3, OGG or WAV sound.',
    file_too_large: 'The file is too large; at most 512 KB.',
    image_too_large:
      'The picture is too large; at most 2,048 pixels on a side, and fewer frames if it is animated.',
    sound_too_long: 'The sound is too long; at most 10 seconds.',
    too_many_uploads: 'You have 20 files, the maximum. Delete one first.',
    upload_not_found: 'The file has already been deleted. Reload the page.',
  },
};
/** The shape that every other language has to fill. */
export type UploadTexts = typeof en;

const de: UploadTexts = {
  heading: 'Ihre Bilder und Töne',
  hint: 'Laden Sie Bilder (GIF, WebP, PNG, JPEG) und Töne (MP3, OGG, WAV, höchstens 10 Sekunden) hoch. Höchstens 512 KB je Datei und 20 Dateien. Wählen Sie sie dann oben aus.',
  add: 'Datei hochladen',
  adding: 'Wird hochgeladen …',
  added: (name) => `${name} ist hochgeladen und kann ausgewählt werden.`,
  play: 'Anhören',
  stop: 'Stopp',
  playName: (name, label) => `${label}: ${name}`,
  remove: 'Löschen',
  removeAsk: (name) => `${name} löschen?`,
  removeDetail:
    'Meldungen, die diese Datei verwenden, wechseln zum eingebauten Bild oder Ton. Geöffnete Overlays folgen sofort.',
  imageFacts: (width, height, size) => `${width} × ${height} Pixel, ${size}`,
  soundFacts: (seconds, size) => `${seconds} Sekunden, ${size}`,
  tooLarge: (size) => `Die Datei hat ${size}. Erlaubt sind höchstens 512 KB.`,
  problems: {
    file_not_supported:
      'Die Datei ist beschädigt, oder ihr Typ wird nicht unterstützt. Laden Sie ein Bild (GIF, WebP, PNG, JPEG) oder einen Ton (MP3, OGG, WAV) hoch.',
    file_too_large: 'Die Datei ist zu groß; höchstens 512 KB.',
    image_too_large:
      'Das Bild ist zu groß; höchstens 2.048 Pixel je Seite, und weniger Einzelbilder, falls es animiert ist.',
    sound_too_long: 'Der Ton ist zu lang; höchstens 10 Sekunden.',
    too_many_uploads: 'Sie haben 20 Dateien, das Maximum. Löschen Sie zuerst eine.',
    upload_not_found: 'Die Datei wurde schon gelöscht. Laden Sie die Seite neu.',
  },
};

/** The texts about uploads, by language. */
export const UPLOAD_TEXTS: Readonly<Record<Language, UploadTexts>> = { en, de };
