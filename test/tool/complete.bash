# bash complete.bash KERB WORD…: what bash completes of a command line whose last word is typed now.
# It prints the words, one a line.
kerb=$1
shift
source <("$kerb" completions bash) || exit 1
complete -p kerb >/dev/null || exit 1
COMP_WORDS=(kerb "$@")
COMP_CWORD=$#
COMPREPLY=()
_kerb
printf '%s\n' "${COMPREPLY[@]}"
