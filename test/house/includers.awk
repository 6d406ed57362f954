# Names the files that changed and those that include one of them, directly or through other files:
# `awk -f includers.awk LIST FILE…`, where LIST names the changed files, one a line, and FILE… are
# all files. An #include is looked up as the compiler does: beside the file, in the root, in include/.

BEGIN { for (i = 2; i < ARGC; i++) known[ARGV[i]] = 1 }
FILENAME == ARGV[1] { changed[++changes] = $0; next }
/^[ \t]*#[ \t]*include[ \t]*"/ { split($0, part, "\""); note(found(part[2])) }
END { spread() }

function note(header) {
    if (header != "") includers[header] = includers[header] " " FILENAME
}

function found(header,    folder) {
    folder = FILENAME
    sub(/[^\/]*$/, "", folder)
    if (plain(folder header) in known) return plain(folder header)
    if (plain(header) in known) return plain(header)
    if (plain("include/" header) in known) return plain("include/" header)
    return ""
}

# a/b/../c is a/c.
function plain(path) {
    gsub(/\/(\.\/)+/, "/", path)
    sub(/^(\.\/)+/, "", path)
    while (sub(/[^\/.][^\/]*\/\.\.\//, "", path)) { }
    return path
}

function spread(    i, k, count, part) {
    for (i = 1; i <= changes; i++) {
        if (!(changed[i] in known) || changed[i] in reached) continue
        reached[changed[i]] = 1
        print changed[i]
        count = split(includers[changed[i]], part, " ")
        for (k = 1; k <= count; k++) changed[++changes] = part[k]
    }
}
