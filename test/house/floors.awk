# Reads floors.txt, then source files, and names every #include that the floors do not allow:
# `awk -f floors.awk floors.txt FILE…`. Exit status 1 when there is one.

FILENAME == ARGV[1] { read_rule(); next }
FNR == 1 { room = room_of_file(FILENAME) }
/^[ \t]*#[ \t]*include[ \t]*"/ { split($0, part, "\""); check_own(part[2]) }
/^[ \t]*#[ \t]*include[ \t]*</ { split($0, part, /[<>]/); check_system(part[2]) }
END { exit found > 0 }

function read_rule(    i) {
    if ($1 == "floor")
        for (i = 3; i <= NF; i++) floor[$i] = $2
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
    if (part[1] == "include") { name = part[3]; sub(/\.h$/, "", name) }
    if (part[1] == "src") name = part[2]
    in_core = part[1] == "include" || part[1] == "src"
    # The one header that shows the whole library stands above all floors.
    if (name == "kerb" && part[1] == "include") name = "library"
    return name
}

function room_of_header(header,    part, count, name) {
    sub(/^(\.\/)+/, "", header)
    count = split(header, part, "/")
    if (count == 1 && FILENAME ~ /^include\//) { name = header; sub(/\.h$/, "", name); return name }
    if (count == 1) return room
    if (part[1] == "..") return part[2]
    if (part[1] == "kerb") {
        name = part[2]; sub(/\.h$/, "", name)
        return name == "kerb" ? "library" : name
    }
    return part[1]
}

function check_own(header,    other) {
    other = room_of_header(header)
    if (other == room || allowed(other) || (FILENAME, header) in except) return
    complain(header, describe(room) " may not know " describe(other))
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

function describe(name) {
    return name in floor ? name " (floor " floor[name] ")" : name
}

function complain(header, reason) {
    printf "%s:%d: %s\n", FILENAME, FNR, reason
    found++
}
