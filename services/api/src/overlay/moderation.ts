import type { Moderation as ModerationView } from '@paywatch/domain/contract';
import { byCredential } from '@paywatch/store/accounts';
import { changeModeration, loadModeration, type Moderation } from '@paywatch/store/donations';
import type { ApiConfig } from '../config.ts';
import type { Dependencies } from '../dependencies.ts';
import { tokenUrl } from '../me/get-me.ts';
import type { OperationHandler } from '../operation-handler.ts';

/** The moderation settings of the caller's overlay. */
export function getModeration({ store, config }: Dependencies): OperationHandler<'getModeration'> {
  return async ({ caller: { projectId } }) => ({
    status: 200,
    body: moderationView(config, await loadModeration(store, projectId)),
  });
}

/** Changes the moderation settings of the caller's overlay, for donations that are confirmed from now on. */
export function updateModeration({ store, config }: Dependencies): OperationHandler<'updateModeration'> {
  return async ({ caller, body, context }) => {
    const authorize = byCredential(caller, context.address);
    const moderation = await changeModeration(store, authorize, caller.projectId, body);
    return { status: 200, body: moderationView(config, moderation) };
  };
}

/** The moderation settings with the link of the control page. */
export function moderationView(config: ApiConfig, { hold, words, controlToken }: Moderation): ModerationView {
  return {
    hold,
    words,
    control_token: controlToken,
    control_url: controlToken === null ? null : tokenUrl(config, 'control', controlToken),
  };
}
