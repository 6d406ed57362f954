# Reads public headers, then what `nm -P` says of libraries, and names the symbols that they may not
# have: `awk -v exports=0 -f symbols.awk HEADERS libraries=1 -`. What archives define for others to
# link begins with kerb_; what a shared library exports (exports=1) is what the headers declare with
# KERB_API, and all of it. Exit status 1 when there is one that is not so.

!libraries { read_header(); next }
# Which library, or which member of an archive, the next lines are about.
NF == 1 { place = $1; next }
# Names that are the implementation's own: of sanitizers, of linkers.
$1 ~ /^__/ || $1 ~ /^_(init|fini|edata|end)$/ { next }
$2 ~ /^[TDBRCGSVWiu]$/ { defined++; exports ? check_exported() : check_prefix() }
END {
    if (exports)
        for (name in declared)
            if (!(name in exported)) {
                print "declared with KERB_API, but not exported: " name
                found++
            }
    if (!defined) {
        print "symbols: there is no library to look at"
        found++
    }
    exit found > 0
}

# KERB_API TYPE NAME(…); or KERB_API TYPE NAME; or NAME[…]; over several lines.
function read_header() {
    if ($1 == "KERB_API")
        text = ""
    else if (text == "")
        return
    text = text " " $0
    if (text !~ /[(;[]/)
        return
    sub(/ *[(;[].*/, "", text)
    sub(/^.*[^A-Za-z_0-9]/, "", text)
    declared[text] = 1
    text = ""
}

# C++ repeats what its headers define in every object that uses it, weakly; what is ours of C++ has
# its name after its length.
function check_prefix() {
    if ($1 ~ /^kerb_/ || $1 ~ /^_ZN?K?[0-9]+kerb_/)
        return
    if ($2 ~ /^[WVu]$/ && ($1 ~ /^_Z/ || $1 ~ /^DW\.ref\./))
        return
    complain("does not begin with kerb_")
}

function check_exported() {
    exported[$1] = 1
    if (!($1 in declared))
        complain("is exported, and no public header declares it with KERB_API")
}

function complain(reason) {
    printf "%s %s: %s\n", place, $1, reason
    found++
}
