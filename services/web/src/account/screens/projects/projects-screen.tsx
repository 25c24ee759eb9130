import type { ProjectSummaryView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { isolated } from '../../../ui/isolated.ts';
import { fieldError } from '../../api/problem-message.ts';
import { useSubmit } from '../../api/use-submit.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Badge } from '../../parts/badge.tsx';
import { Form, SubmitButton, TextInput } from '../../parts/form/form.tsx';
import { Panel, Screen } from '../../parts/panel.tsx';
import { ROLE_TEXTS } from '../members/role-texts.ts';
import { PROJECTS_TEXTS } from './projects-texts.ts';

/** The projects of the account: which one this tab works in, and a form for a new one. */
export function ProjectsScreen() {
  const { language, projects } = useSignedInAccount();
  const words = PROJECTS_TEXTS[language];
  return (
    <Screen title={words.heading} testId="projects">
      <Panel>
        <p class="quiet">{words.lead}</p>
        <ul class="people">
          {projects.map((project) => (
            <Project key={project.project_id} project={project} />
          ))}
        </ul>
      </Panel>
      <Panel title={words.create}>
        <CreateForm />
      </Panel>
    </Screen>
  );
}

function Project({ project: { project_id: id, name, role } }: { project: ProjectSummaryView }) {
  const { language, me } = useSignedInAccount();
  const open = useOpenProject();
  const words = PROJECTS_TEXTS[language];
  const shown = name ?? words.unnamed;
  return (
    <li class="people__one" data-testid="project">
      <div class="people__who">
        <strong dir="auto">{shown}</strong> <Badge tone="calm">{ROLE_TEXTS[language][role].name}</Badge>
      </div>
      {id === me.project.project_id ? (
        <Badge tone="done" testId="project-current">
          {words.current}
        </Badge>
      ) : (
        <button
          type="button"
          class="button button--small"
          aria-label={words.openName(isolated(shown))}
          data-testid={`open-${id}`}
          onClick={() => open(id)}
        >
          {words.open}
        </button>
      )}
    </li>
  );
}

/** Switches this tab to a project, and shows where it starts. */
function useOpenProject(): (id: string) => void {
  const { chooseProject, navigate } = useSignedInAccount();
  return (id) => {
    chooseProject(id);
    navigate('/account');
  };
}

function CreateForm() {
  const { api, texts, language } = useSignedInAccount();
  const open = useOpenProject();
  const words = PROJECTS_TEXTS[language];
  const [name, setName] = useState('');
  const submit = useSubmit<ProjectSummaryView>();
  const create = async () => {
    const created = await submit.send(() => api.createProject(name));
    if (created !== null) open(created.project_id);
  };
  const isFull = submit.problem?.code === 'too_many_projects';
  return (
    <Form
      testId="project-create-form"
      problem={isFull ? null : submit.problem}
      hasInputError={isFull}
      onSubmit={() => void create()}
    >
      <TextInput
        id="new_project_name"
        label={words.name}
        hint={words.nameHint}
        value={name}
        error={isFull ? words.tooMany : fieldError(submit.problem, 'name', texts)}
        onValue={(value) => {
          setName(value);
          submit.reset();
        }}
      />
      <SubmitButton isBusy={submit.isBusy} testId="project-create">
        {words.submit}
      </SubmitButton>
    </Form>
  );
}
