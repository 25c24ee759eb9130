import { Notice } from '../../../ui/notice.tsx';
import { useAccount } from '../../app/account-context.ts';
import { PROJECTS_TEXTS } from './projects-texts.ts';

/** Says why another project is shown than before. */
export function ProjectLost() {
  const { language } = useAccount();
  return (
    <Notice tone="act" testId="project-lost">
      {PROJECTS_TEXTS[language].lost}
    </Notice>
  );
}
