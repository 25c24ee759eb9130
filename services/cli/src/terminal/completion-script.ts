import type { Command } from 'commander';

/** The shells that are completed. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** What completes the program's commands and options in a shell, made of the commands themselves. Pure. */
export function completionScript(program: Command, shell: Shell): string {
  return SCRIPTS[shell](listWords(program));
}

/** A word that may follow `path`, the commands before it. */
type Word = { path: string; word: string; description: string };

function listWords(program: Command): Word[] {
  const under = (command: Command, path: string): Word[] => [
    ...command.commands.flatMap((child) => [
      { path, word: child.name(), description: child.description() },
      ...under(child, `${path} ${child.name()}`.trim()),
    ]),
    ...optionsOf(command, path),
  ];
  return under(program, '');
}

function optionsOf(command: Command, path: string): Word[] {
  const own = command.options.map((option) => ({
    path,
    word: option.long ?? '',
    description: option.description,
  }));
  const global = command.parent === null ? [] : [{ path, word: '--json', description: 'for programs' }];
  return [...own, ...global, { path, word: '--help', description: 'help' }];
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** One branch for each path: `words` is all that may follow it. */
function branches(words: readonly Word[], line: (path: string, words: readonly Word[]) => string): string {
  return [...Map.groupBy(words, ({ path }) => path)].map(([path, group]) => line(path, group)).join('\n');
}

/** The words before the cursor that are commands; options and their values in between are passed over. */
const PATH_LOOP = `
    case "$word" in -*) continue ;; esac
    case " $known " in *" \${path:+$path/}$word "*) path="\${path:+$path/}$word" ;; esac`;

function bashScript(words: readonly Word[]): string {
  return `# bash completion for paywatch
_paywatch() {
  local word path= known="${knownPaths(words)}" current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do${PATH_LOOP}
  done
  case "$path" in
${branches(words, (path, group) => `    "${slashed(path)}") COMPREPLY=($(compgen -W "${group.map(({ word }) => word).join(' ')}" -- "$current")) ;;`)}
  esac
}
complete -F _paywatch paywatch
`;
}

function zshScript(words: readonly Word[]): string {
  const line = (path: string, group: readonly Word[]) =>
    `    "${slashed(path)}") found=(${group.map(({ word, description }) => quoted(`${word}:${description}`)).join(' ')}) ;;`;
  return `#compdef paywatch
_paywatch() {
  local word path_= known="${knownPaths(words)}"
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do${PATH_LOOP.replaceAll('path', 'path_')}
  done
  case "$path_" in
${branches(words, line)}
  esac
  _describe 'paywatch' found
}
# Where it is loaded by compinit, this file is the body of the function; where it is sourced, it defines it.
if [ "$funcstack[1]" = "_paywatch" ]; then _paywatch "$@"; else compdef _paywatch paywatch; fi
`;
}

function fishScript(words: readonly Word[]): string {
  const line = ({ path, word, description }: Word): string => {
    const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
    return `complete -c paywatch -f -n '__paywatch_at "${slashed(path)}"' ${what} -d ${fishQuoted(description)}`;
  };
  return `# fish completion for paywatch
function __paywatch_at
  set -l known ${knownPaths(words)}
  set -l path
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and continue
    set -l longer (string join / $path $word)
    contains -- $longer $known; and set path $longer
  end
  test "$path" = "$argv[1]"
end
${words.map(line).join('\n')}
`;
}

function knownPaths(words: readonly Word[]): string {
  return words
    .filter(({ word }) => !word.startsWith('--'))
    .map(({ path, word }) => slashed(`${path} ${word}`.trim()))
    .join(' ');
}

function slashed(path: string): string {
  return path.replaceAll(' ', '/');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
