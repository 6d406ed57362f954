# zsh -f complete.zsh FOLDER LINE…: what each line becomes when the tabulator is pressed after it, in
# a terminal. FOLDER holds the script, as _kerb. It prints the lines between < and >.
zmodload zsh/zpty || exit 77
folder=$1
shift
zpty -b shell zsh -f -i
zpty -w shell "PS1='> '; unset zle_bracketed_paste; fpath=($folder \$fpath)"
zpty -w shell "autoload -Uz compinit; compinit -u -D; setopt no_beep; cd $folder"
zpty -w shell 'print -r -- READ""Y'
# What the shell prints, until the pattern has come; at most 10 s.
output=
await() {
    local chunk limit=$((SECONDS + 10))
    while [[ $output != *$~1* ]] && ((SECONDS < limit)); do
        zpty -r -t shell chunk && output+=$chunk || sleep 0.02
    done
}
await READY
number=0
for line in "$@"; do
    ((number++))
    # ^A and ^E put a print round the completed line.
    zpty -w -n shell "$line"$'\t\x01'"print -r -- '<$number:"$'\x05'">'"$'\n'
    await $'\n<'$number':*>'
done
print -r -- "$output" | tr -d '\r' | sed -n 's/^<[0-9]*:/</p'
zpty -d shell
