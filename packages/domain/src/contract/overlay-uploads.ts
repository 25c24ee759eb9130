import type { OverlaySettings, OverlayUploads } from './overlay-options.ts';
import type { UploadKind } from './resources/uploads/uploads.ts';

/** An upload that settings of an overlay name, and where: `image_upload` or `tiers.1.sound_upload`. */
export type UploadReference = { path: string; kind: Exclude<UploadKind, 'logo'>; id: string };

type Settings = { [Key in keyof OverlayUploads | 'tiers']?: OverlaySettings[Key] | undefined };

/** The uploads that settings name. Pure. */
export function uploadsOf({ tiers = [], ...rest }: Settings): UploadReference[] {
  return [
    ...referencesIn(rest, ''),
    ...tiers.flatMap((tier, index) => referencesIn(tier, `tiers.${String(index)}.`)),
  ];
}

function referencesIn(part: Settings, prefix: string): UploadReference[] {
  return KINDS.flatMap(([name, kind]) => {
    const id = part[name] ?? null;
    return id === null ? [] : [{ path: `${prefix}${name}`, kind, id }];
  });
}

const KINDS = [
  ['image_upload', 'image'],
  ['sound_upload', 'sound'],
] as const;

/** What changes in settings when an upload is deleted, so that the built-in picture or sound is used. Pure. */
export function withoutUpload(settings: Settings, id: string): Partial<OverlaySettings> {
  const { tiers = [] } = settings;
  return {
    ...freed(settings, id),
    ...(uploadsOf({ tiers }).some((used) => used.id === id)
      ? { tiers: tiers.map((tier) => ({ ...tier, ...freed(tier, id) })) }
      : {}),
  };
}

function freed({ image_upload: image, sound_upload: sound }: Settings, id: string): Partial<OverlayUploads> {
  return { ...(image === id ? { image_upload: null } : {}), ...(sound === id ? { sound_upload: null } : {}) };
}
