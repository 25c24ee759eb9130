import { byCredential, byRecentProof } from '@paywatch/store/accounts';
import { updateProject as update } from '@paywatch/store/projects';
import type { Dependencies } from '../dependencies.ts';
import { readMe } from '../me/get-me.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { assertRateOffered } from '../rates/offered-rate.ts';

/** Changes the name of a project, which donors and payers see, or its settings. */
export function updateProject(dependencies: Dependencies): OperationHandler<'updateProject'> {
  return async ({ caller, body, context }) => {
    const {
      name,
      price_margin_bps: margin,
      long_price_margin_bps: longMargin,
      fiat_currency: fiatCurrency,
      embed_sites: embedSites,
      donor_texts_days: donorTextsDays,
    } = body;
    const margins = {
      ...(margin === undefined ? {} : { margin }),
      ...(longMargin === undefined ? {} : { longMargin }),
    };
    // It deletes what nobody can bring back.
    const authorize = donorTextsDays === undefined ? byCredential : byRecentProof;
    if (fiatCurrency) assertRateOffered(dependencies.config, fiatCurrency, 'body.fiat_currency');
    const change = { name, margins, fiatCurrency, embedSites, donorTextsDays };
    await update(dependencies.store, authorize(caller, context.address), caller.projectId, change);
    const { project } = await readMe(dependencies, caller);
    return { status: 200, body: project };
  };
}
