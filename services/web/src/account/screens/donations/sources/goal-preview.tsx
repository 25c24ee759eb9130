import { useSignedInAccount } from '../../../app/account-context.ts';

/** The goal bar as OBS shows it, loaded from this host. It gets changes through its stream. */
export function GoalPreview({ title }: { title: string }) {
  const { me, language } = useSignedInAccount();
  const { pathname } = new URL(me.project.overlay_url, location.href);
  return (
    <div class="overlay-preview">
      <iframe
        src={`${pathname}?source=goal&lang=${language}`}
        title={title}
        loading="lazy"
        tabIndex={-1}
        data-testid="goal-preview"
      />
    </div>
  );
}
