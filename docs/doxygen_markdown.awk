# A guide as Doxygen wants it. Every heading gets a label; a link to a file of the tree becomes a
# link to the page that is made of the file:
#
#     [x](concepts.md), [x](concepts.md#units), [x](#units)    the guide, or its section
#     [x](../examples/drive_a_car.c)                            the example
#     [x](../include/kerb/follow.h)                             the header
#     ![x](pictures/plan.png)                                   the picture, by its name alone
#     [x](../CONTRIBUTING.md), [x](../bench/)                   text, because there is no page

BEGIN {
    guide = ARGV[1]
    sub(/.*\//, "", guide)
    sub(/\.md$/, "", guide)
}

/^ *```/ { code = !code; print; next }
code { print; next }
/^# / { titles++ }
/^# / && titles == 1 {
    gsub(/`/, "") # the tree of pages shows marks as they are
    print (guide == "index" ? $0 : $0 " {#" guide "}")
    next
}
/^##+ / { $0 = $0 " {#" guide "_" slug($0) "}" }
{
    out = ""
    rest = $0
    while (match(rest, /!?\[[^]]*\]\([^)]*\)/)) {
        out = out substr(rest, 1, RSTART - 1) link_of(substr(rest, RSTART, RLENGTH))
        rest = substr(rest, RSTART + RLENGTH)
    }
    print out rest
}

# As GitHub makes one: small letters, dashes for spaces, nothing else but letters and digits.
function slug(heading) {
    sub(/^#+ +/, "", heading)
    heading = tolower(heading)
    gsub(/[^a-z0-9 _-]/, "", heading)
    gsub(/ /, "-", heading)
    return heading
}

function link_of(link,    text, target, name, part) {
    text = link
    sub(/\]\([^)]*\)$/, "]", text)
    target = substr(link, length(text) + 2, length(link) - length(text) - 2)
    if (target ~ /^[a-z]+:/) return link
    name = target
    sub(/.*\//, "", name)
    if (text !~ /^!/) gsub(/`/, "", text) # a link shows marks as they are
    if (text ~ /^!/) return "![](" name ")" # its words would stand below it as well
    if (target ~ /^#/) return text "(@ref " guide "_" substr(target, 2) ")"
    if (target ~ /^[^\/]*\.md(#|$)/) {
        split(target, part, /\.md#?/)
        return text "(@ref " part[1] (part[2] != "" ? "_" part[2] : "") ")"
    }
    if (target ~ /examples\/[^\/]*\.c(pp)?$/) {
        sub(/\./, "_8", name)
        return text "(" name "-example.html)"
    }
    if (target ~ /include\/.*\.h$/) return text "(@ref " name ")"
    return substr(text, 2, length(text) - 2)
}
