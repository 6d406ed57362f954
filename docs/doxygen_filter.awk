# Kerb's headers as Doxygen wants them: the comment at the top becomes the file's, and
# "// ----- title" lines become member groups.
#
# In the comment at the top, what is indented by five spaces or more is a program or a diagram, and
# "   NAME   meaning" is an item of a list. "Words:" above lines that are indented is a heading.

NR == 1 && /^\/\/ / { top = 1; brief = substr($0, 4); next }
top && /^\/\// { line[++count] = substr($0, 3); next }
top { top = 0; print_manual() }
/^\/\/ -----+ / {
    title = $0
    sub(/^\/\/ -+ /, "", title)
    if (open) print "/// @}"
    print "/// @name " title
    print "/// @{"
    open = 1
    next
}
/^#endif$/ { held = held $0 "\n"; next }
{ printf "%s", held; held = ""; print }
END { if (open) print "/// @}"; printf "%s", held }

function print_manual(    i) {
    print "/// @file"
    print "/// @brief " brief
    print "///"
    for (i = 1; i <= count; i++) {
        if (is_code(i) && line[i - 1] == "")
            i = print_code(i)
        else if (is_item(i))
            i = print_item(i)
        else if (is_heading(i))
            print "///\n/// **" substr(line[i], 2) "**\n///"
        else
            print "///" line[i]
    }
}

function is_code(i) {
    return line[i] ~ /^     +[^ ]/
}

function is_item(i) {
    return line[i] ~ /^   [A-Za-z_]+  +[^ ]/
}

function is_heading(i) {
    return line[i] ~ /^ [^ ].*:$/ && line[i + 1] ~ /^   [^ 0-9-]/ && !is_item(i + 1)
}

# Up to the last line of the block, with the empty lines within it; returns where that is.
function print_code(i,    last, next_line, kind) {
    last = i
    for (next_line = i; next_line <= count && (is_code(next_line) || line[next_line] == "");
         next_line++)
        if (is_code(next_line)) last = next_line
    kind = "unparsed"
    for (next_line = i; next_line <= last; next_line++)
        if (line[next_line] ~ /;/) kind = "c"
    print "/// @code{." kind "}"
    for (; i <= last; i++) print "/// " substr(line[i], 6)
    print "/// @endcode"
    return last
}

# With the lines that go on with its meaning.
function print_item(i,    text) {
    text = line[i]
    sub(/^   /, "", text)
    sub(/  +/, "** ", text)
    print "/// - **" text
    while (line[i + 1] ~ /^     +[^ ]/) {
        text = line[++i]
        sub(/^ +/, "", text)
        print "///   " text
    }
    return i
}
