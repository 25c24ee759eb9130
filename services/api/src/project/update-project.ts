import { byCredential } from '@paywatch/store/accounts';
import { updateProject as update } from '@paywatch/store/projects';
import type { Dependencies } from '../dependencies.ts';
import { readMe } from '../me/get-me.ts';
import type { OperationHandler } from '../operation-handler.ts';

/** Changes the name of a project, which donors and payers see, its margins on prices, or the sites that may frame its payment pages. */
export function updateProject(dependencies: Dependencies): OperationHandler<'updateProject'> {
  return async ({ caller, body, context }) => {
    const {
      name,
      price_margin_bps: margin,
      long_price_margin_bps: longMargin,
      embed_sites: embedSites,
    } = body;
    const margins = {
      ...(margin === undefined ? {} : { margin }),
      ...(longMargin === undefined ? {} : { longMargin }),
    };
    const authorize = byCredential(caller, context.address);
    await update(dependencies.store, authorize, caller.projectId, { name, margins, embedSites });
    const { project } = await readMe(dependencies, caller.projectId);
    return { status: 200, body: project };
  };
}
