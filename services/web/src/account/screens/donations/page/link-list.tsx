import { SETTING_LIMITS } from '@paywatch/domain/limits';
import { TextInput } from '../../../parts/form/form.tsx';
import type { PagePartProps } from './page-form.tsx';

const { maxItems } = SETTING_LIMITS.donationPage.links;

/** The links of the page. A link without title and URL is not saved. */
export function LinkList({ draft: { links }, words, errorAt, onChange }: PagePartProps) {
  const edit = (edited: number, change: Partial<(typeof links)[number]>) =>
    onChange({ links: links.map((link, index) => (index === edited ? { ...link, ...change } : link)) });
  return (
    <>
      <p class="label">{words.links}</p>
      <p class="quiet">{words.linksHint}</p>
      {links.map(({ title, url }, index) => (
        <fieldset key={index} class="tier">
          <TextInput
            id={`link_${index}_title`}
            label={words.linkTitle(index + 1)}
            value={title}
            error={errorAt(`links.${index}.title`)}
            onValue={(typed) => edit(index, { title: typed })}
          />
          <TextInput
            id={`link_${index}_url`}
            label={words.linkUrl(index + 1)}
            type="url"
            value={url}
            error={errorAt(`links.${index}.url`)}
            onValue={(typed) => edit(index, { url: typed })}
          />
          <button
            type="button"
            class="button button--small"
            data-testid={`remove-link-${index}`}
            onClick={() => onChange({ links: links.filter((_, at) => at !== index) })}
          >
            {words.removeLink(index + 1)}
          </button>
        </fieldset>
      ))}
      {links.length >= maxItems ? null : (
        <button
          type="button"
          class="button"
          data-testid="add-link"
          onClick={() => onChange({ links: [...links, { title: '', url: '' }] })}
        >
          {words.addLink}
        </button>
      )}
    </>
  );
}
