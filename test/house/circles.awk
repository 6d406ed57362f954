# Reads circles.txt, then what `nm -A -P` says of the objects of src/, and names the circles in which
# files use one another's symbols: `nm -A -P OBJECT… | awk -f circles.awk circles.txt -`.
# Exit status 1 unless they are those of circles.txt.

FILENAME == ARGV[1] {
    if ($1 == "circle")
        listed[$2, $3 + 0]++
    next
}
{ read_symbol() }
END {
    if (!files) {
        print "circles: there are no objects to look at"
        exit 1
    }
    find_edges()
    trim()
    close_over()
    report()
    exit found > 0
}

# FOLDER/kerb.dir/src/ROOM/NAME.c.o: SYMBOL TYPE …
function read_symbol(    at, file, part) {
    at = index($0, ".o: ")
    file = substr($0, 1, at - 1)
    sub(/^.*\/kerb\.dir\//, "", file)
    if (!(file in number)) {
        number[file] = ++files
        name[files] = file
    }
    split(substr($0, at + 4), part, " ")
    if (part[2] ~ /^[TDBRCGSVW]$/)
        home[part[1]] = number[file]
    else if (part[2] == "U") {
        user[++uses] = number[file]
        used[uses] = part[1]
    }
}

function find_edges(    i, from, to) {
    for (i = 1; i <= uses; i++) {
        from = user[i]
        if (!(used[i] in home) || home[used[i]] == from)
            continue
        to = home[used[i]]
        if (!((from, to) in symbols)) {
            edge_from[++edges] = from
            edge_to[edges] = to
        }
        symbols[from, to] = symbols[from, to] " " used[i]
    }
}

# Files that none of the others use, or that use none of them, are in no circle: what is left after
# they are taken away again and again is small.
function trim(    i, changed, has_in, has_out) {
    do {
        changed = 0
        split("", has_in)
        split("", has_out)
        for (i = 1; i <= edges; i++)
            if (!gone[edge_from[i]] && !gone[edge_to[i]])
                has_out[edge_from[i]] = has_in[edge_to[i]] = 1
        for (i = 1; i <= files; i++)
            if (!gone[i] && !(has_in[i] && has_out[i]))
                gone[i] = changed = 1
    } while (changed)
    for (i = 1; i <= files; i++)
        if (!gone[i])
            left[++count] = i
}

# Which file reaches which, over any number of others (Warshall).
function close_over(    i, k, m, a, b) {
    for (i = 1; i <= edges; i++)
        reach[edge_from[i], edge_to[i]] = 1
    for (k = 1; k <= count; k++)
        for (i = 1; i <= count; i++) {
            a = left[i]
            b = left[k]
            if ((a, b) in reach)
                for (m = 1; m <= count; m++)
                    if ((b, left[m]) in reach)
                        reach[a, left[m]] = 1
        }
}

function report(    i, m, size, members, room, key, part, reported) {
    for (i = 1; i <= count; i++) {
        if (reported[left[i]] || !((left[i], left[i]) in reach))
            continue
        size = 0
        room = room_of(left[i])
        for (m = i; m <= count; m++)
            if ((left[i], left[m]) in reach && (left[m], left[i]) in reach) {
                reported[left[m]] = 1
                members[++size] = left[m]
                if (room_of(left[m]) != room)
                    room = "several"
            }
        if (listed[room, size] > 0)
            listed[room, size]--
        else
            complain(members, size, room)
    }
    for (key in listed)
        if (listed[key] > 0) {
            split(key, part, SUBSEP)
            printf "circles.txt: there is no circle of %d files in %s: take it off the list\n",
                part[2], part[1]
            found++
        }
}

function room_of(file,    part) {
    split(name[file], part, "/")
    return part[2]
}

function complain(members, size, room,    i, k) {
    printf "a circle of %d files in %s that circles.txt does not list:\n", size, room
    for (i = 1; i <= size; i++)
        for (k = 1; k <= size; k++)
            if ((members[i], members[k]) in symbols)
                printf "    %s uses of %s:%s\n", name[members[i]], name[members[k]],
                    symbols[members[i], members[k]]
    found++
}
