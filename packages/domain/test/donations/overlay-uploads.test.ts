import { DEFAULT_OVERLAY_SETTINGS, type OverlaySettings, type OverlayTier } from '@paywatch/domain/contract';
import { expect, test } from 'vitest';
import { uploadsOf, withoutUpload } from '../../src/donations/index.ts';

const tier = (uploads: Partial<OverlayTier>): OverlayTier => ({
  min_amount_btc: '1000',
  min_amount_ltc: '1000',
  template: 'neon',
  image: 'star',
  image_upload: null,
  sound: 'bell',
  sound_upload: null,
  duration_seconds: 9,
  ...uploads,
});

const settings: OverlaySettings = {
  ...DEFAULT_OVERLAY_SETTINGS,
  image_upload: 'upl_cat',
  tiers: [tier({}), tier({ image_upload: 'upl_cat', sound_upload: 'upl_horn' })],
};

test('the uploads of settings are named with their place and the kind that is needed there', () => {
  expect(uploadsOf(settings)).toEqual([
    { path: 'image_upload', kind: 'image', id: 'upl_cat' },
    { path: 'tiers.1.image_upload', kind: 'image', id: 'upl_cat' },
    { path: 'tiers.1.sound_upload', kind: 'sound', id: 'upl_horn' },
  ]);
  expect(uploadsOf({ sound_upload: 'upl_horn' })).toEqual([
    { path: 'sound_upload', kind: 'sound', id: 'upl_horn' },
  ]);
  expect(uploadsOf({})).toEqual([]);
});

test('a deleted upload is taken out everywhere, and what was built in stays', () => {
  expect(withoutUpload(settings, 'upl_cat')).toEqual({
    image_upload: null,
    tiers: [tier({}), tier({ sound_upload: 'upl_horn' })],
  });
  expect(withoutUpload(settings, 'upl_horn')).toEqual({
    tiers: [tier({}), tier({ image_upload: 'upl_cat' })],
  });
});

test('settings that do not use a deleted upload do not change', () => {
  expect(withoutUpload(settings, 'upl_other')).toEqual({});
  expect(withoutUpload({}, 'upl_cat')).toEqual({});
});
