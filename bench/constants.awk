# Counts code lines, and literals other than 0, 1, 2 and 0.5, in C files; see constants.sh.
# -v list=1 prints each literal: FILE:LINE: LITERAL: the line.

FNR == 1 { in_comment = 0; in_rows = 0; folder = FILENAME; sub(/\/[^\/]*$/, "", folder)
           if (!(folder in lines)) order[++folders] = folder }
{
    text = bare($0)
    if (text ~ /^[ \t]*$/) next
    lines[folder]++
    if (text ~ /^[ \t]*#[ \t]*include/) next
    # Rows of settings tables; a macro that only makes rows is one of them.
    if (text ~ /kerb_setting [A-Za-z_]+\[/) in_rows = 1
    if (!in_rows) count(text)
    if (in_rows && text ~ /};/) in_rows = 0
}
END {
    for (i = 1; i <= folders; i++) {
        print_row(order[i], lines[order[i]], found[order[i]])
        all_lines += lines[order[i]]
        all_found += found[order[i]]
    }
    print_row("all", all_lines, all_found)
}

function print_row(name, code, constants) {
    printf "%-18s %6d code lines %5d constants %6.1f per 1,000\n", name, code, constants,
        (code > 0 ? 1000 * constants / code : 0)
}

# The line without comments, strings and characters.
function bare(line,    out, i, c, two) {
    out = ""
    for (i = 1; i <= length(line); i++) {
        two = substr(line, i, 2)
        if (in_comment) {
            if (two == "*/") { in_comment = 0; i++ }
            continue
        }
        if (two == "//") break
        if (two == "/*") { in_comment = 1; i++; continue }
        c = substr(line, i, 1)
        if (c == "\"" || c == "'") {
            for (i++; i <= length(line) && substr(line, i, 1) != c; i++)
                if (substr(line, i, 1) == "\\") i++
            out = out "_"
            continue
        }
        out = out c
    }
    return out
}

function count(text,    word, value) {
    while (match(text, /[A-Za-z_][A-Za-z_0-9]*|(0[xX][0-9A-Fa-f]+|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?)[fFuUlL]*/)) {
        word = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        if (word ~ /^[A-Za-z_]/) continue
        value = word
        sub(/[fFuUlL]+$/, "", value)
        if (value !~ /^0[xX]/ && (value + 0 == 0 || value + 0 == 1 || value + 0 == 2 || value + 0 == 0.5)) continue
        found[folder]++
        if (list) print FILENAME ":" FNR ": " word ": " $0
    }
}
