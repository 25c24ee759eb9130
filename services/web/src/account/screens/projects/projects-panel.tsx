import { useSignedInAccount } from '../../app/account-context.ts';
import { Panel } from '../../parts/panel.tsx';
import { PROJECTS_TEXTS } from './projects-texts.ts';

/** Leads from the settings to the projects of the account. */
export function ProjectsPanel() {
  const { language, projects } = useSignedInAccount();
  const words = PROJECTS_TEXTS[language];
  return (
    <Panel title={words.heading} testId="projects-panel">
      <p class="quiet">{words.count(projects.length)}</p>
      <a class="button" href="/account/projects" data-testid="projects-link">
        {words.manage}
      </a>
    </Panel>
  );
}
