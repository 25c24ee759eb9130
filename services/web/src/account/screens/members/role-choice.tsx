import { PROJECT_ROLES, type ProjectRole } from '@paywatch/domain/roles';
import { useAccount } from '../../app/account-context.ts';
import { MEMBERS_TEXTS } from './members-texts.ts';
import { ROLE_TEXTS } from './role-texts.ts';

type ChoiceProps = {
  /** Prefix of the inputs' ids; unique on the screen. */
  id: string;
  value: ProjectRole;
  onValue: (role: ProjectRole) => void;
};

/** A choice of a role, each with what it may do. */
export function RoleChoice({ id, value, onValue }: ChoiceProps) {
  const { language } = useAccount();
  return (
    <fieldset class="choices">
      <legend class="label">{MEMBERS_TEXTS[language].role}</legend>
      {PROJECT_ROLES.map((role) => {
        const { name, detail } = ROLE_TEXTS[language][role];
        return (
          <label key={role} class="check role">
            <input
              type="radio"
              name={id}
              value={role}
              checked={role === value}
              data-testid={`${id}-${role}`}
              aria-describedby={`${id}-${role}-detail`}
              onChange={() => onValue(role)}
            />
            <span>
              {name}
              <span class="role__detail" id={`${id}-${role}-detail`}>
                {detail}
              </span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
