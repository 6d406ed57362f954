# Writes several files of C as one: each #include "…" is replaced, once, by the file it names.
#
#     awk -v kind=header -f amalgamate.awk FILE…   the public headers, as kerb.h
#     awk -v kind=source -f amalgamate.awk FILE…   the sources, which include "kerb.h"
#
# Run from the root of the house. Headers of src/ are found beside the including file, public ones
# in include/.

BEGIN {
    for (i = 1; i < ARGC; i++) emit(ARGV[i])
}

function emit(file,    line, name, folder) {
    if (file in done) return
    done[file] = 1
    folder = file
    sub(/[^\/]*$/, "", folder)
    if (kind == "source") print "\n// " dashes() " " file
    while ((status = (getline line < file)) > 0) {
        if (line ~ /^[ \t]*#[ \t]*include[ \t]*"/) {
            name = line
            sub(/^[^"]*"/, "", name)
            sub(/".*/, "", name)
            include(folder, name)
        } else
            print line
    }
    if (status < 0) {
        print "amalgamate: cannot read " file > "/dev/stderr"
        exit 1
    }
    close(file)
}

function include(folder, name) {
    if (name ~ /^kerb\//) name = "include/" name
    else name = straight(folder name)
    if (kind == "source" && name ~ /^include\//) return # kerb.h has it
    emit(name)
}

# a/b/../c is a/c.
function straight(path) {
    while (match(path, /[^\/.]+\/\.\.\//)) path = substr(path, 1, RSTART - 1) substr(path, RSTART + RLENGTH)
    return path
}

function dashes() {
    return "----------------------------------------------------------------"
}
