# Reads floors.txt, then source files, and names every #include that the floors do not allow:
# `awk -f floors.awk floors.txt FILE…`. Exit status 1 when there is one.

BEGIN { outside = "^(io|sim|scene|tool|bench|fuzz|examples|test)/" }
FILENAME == ARGV[1] { read_rule(); next }
FNR == 501 && FILENAME ~ /^include\// { complain(FILENAME, "a public header has at most 500 lines") }
FNR == 1 { room = room_of_file(FILENAME); seen[room] = 1 }
/^[ \t]*#[ \t]*include[ \t]*"/ { split($0, part, "\""); check_own(part[2]) }
/^[ \t]*#[ \t]*include[ \t]*</ { split($0, part, /[<>]/); check_system(part[2]) }
# What a driver remembers is its room's own business; others ask by src/ROOM/shared.h.
/->memory\./ && FILENAME ~ /^src\/draw\// { complain("", "draw reads no driver's memory") }
END { check_rooms(); exit found > 0 }

function read_rule(    i) {
    if ($1 == "floor")
        for (i = 3; i <= NF; i++) floor[$i] = $2
    if ($1 == "header") room_of[$2] = $3
    if ($1 == "may")
        for (i = 2; i <= NF; i++) may[$2, $i] = 1
    if ($1 == "system")
        for (i = 2; i <= NF; i++) system_header[$i] = 1
    if ($1 == "system-in")
        for (i = 3; i <= NF; i++) system_in[$2, $i] = 1
    if ($1 == "except")
        except[$2, $3] = 1
}

# include/kerb/path.h and src/path/build.c belong to path; include/kerb/io/text.h and io/text.c to io.
function room_of_file(file,    part, name) {
    split(file, part, "/")
    name = part[1]
    if (part[1] == "include") name = room_named(part[3] == "private" ? part[4] : part[3])
    if (part[1] == "src") name = part[2]
    in_core = part[1] == "include" || part[1] == "src"
    # The one header that shows the whole library stands above all floors.
    if (name == "kerb" && part[1] == "include") name = "library"
    return name
}

# plan.h and plan_search.h are of the room plan, private/racer_memory.h of the room racer.
function room_named(header) {
    sub(/\.h$/, "", header)
    sub(/_memory$/, "", header)
    if (header == "kerb") return "library"
    return header in room_of ? room_of[header] : header
}

# The header's path from the root of the house: relative ones count from the including file.
function rooted(header,    file, up) {
    file = FILENAME
    sub(/[^\/]*$/, "", file)
    while (header ~ /^\.\.?\//) {
        if (header ~ /^\.\.\//) sub(/[^\/]*\/$/, "", file)
        sub(/^\.\.?\//, "", header)
        up = 1
    }
    if (up || header !~ /\// || FILENAME ~ /^include\//) return file header
    return FILENAME ~ /^src\// && header !~ /^kerb\// && header !~ outside ? file header : header
}

function room_of_header(header,    part, count) {
    if (header ~ /^kerb\//) header = "include/" header
    count = split(header, part, "/")
    if (part[1] == "include") return room_named(part[3] == "private" ? part[4] : part[3])
    return part[1] == "src" ? part[2] : part[1]
}

function check_own(header,    other, path) {
    path = rooted(header)
    other = room_of_header(path)
    if ((FILENAME, header) in except) return
    if (other != room && !allowed(other))
        complain(header, describe(room) " may not know " describe(other))
    else if (other != room && path ~ /^src\// && path != "src/" other "/shared.h")
        complain(header, "of " other " only its public headers and src/" other "/shared.h are open")
}

function allowed(other) {
    if (room == "library") return other in floor
    if (room in floor) return other in floor && floor[other] < floor[room]
    return (room, other) in may || ((room, "library") in may && (other in floor || other == "library"))
}

function check_system(header) {
    if (!in_core || header in system_header || (room, header) in system_in) return
    if ((FILENAME, header) in except) return
    complain(header, "the core may not use <" header ">")
}

# Every room of floors.txt exists, in a house that has more than the one file of a test.
function check_rooms(    name) {
    if (!whole) return
    for (name in floor)
        if (!(name in seen)) {
            printf "floors.txt: there is no room %s\n", name
            found++
        }
}

function describe(name) {
    return name in floor ? name " (floor " floor[name] ")" : name
}

function complain(header, reason) {
    printf "%s:%d: %s\n", FILENAME, FNR, reason
    found++
}
