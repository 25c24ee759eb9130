import type { ControlView } from '../../../resources/donations/control.ts';
import type { Moderation } from '../../../resources/donations/moderation.ts';
import type { OperationExample } from '../operation-example.ts';

const moderation: Moderation = {
  hold: 'none',
  words: [],
  control_token: 'm4Ks9xRvT2nBq7WyLc5Gd1',
  control_url: 'https://pay.example/control/m4Ks9xRvT2nBq7WyLc5Gd1',
};

const control: ControlView = {
  paused: false,
  volume: 100,
  project_name: 'Example Shop',
  held: [],
  held_count: 0,
  recent: [
    {
      id: '1',
      donor_name: 'Satoshi',
      donor_message: 'Great stream!',
      amount: '50000',
      currency: 'BTC',
      confirmed_at: '2026-11-20T12:21:40.120Z',
      test: false,
    },
  ],
};

/** Of moderation. */
export const moderationExamples = {
  getModeration: { response: moderation },
  updateModeration: {
    request: { hold: 'links_and_words', words: ['spoiler'] },
    response: { ...moderation, hold: 'links_and_words', words: ['spoiler'] },
  },
  streamControl: { response: `retry: 3000\n\nid: 2\nevent: control\ndata: ${JSON.stringify(control)}\n\n` },
  controlOverlay: {
    request: { action: 'volume', volume: 50 },
    response: { paused: false, volume: 50 },
  },
  decideHeldDonation: {
    request: { held_id: '1', decision: 'approved' },
    response: { held_id: '1', decision: 'approved' },
  },
} as const satisfies Record<string, OperationExample>;
