# A program of examples/ as Doxygen wants it: an example. It shows the program as it is, beginning
# with the comment that says what it does.

BEGIN {
    name = ARGV[1]
    sub(/.*\//, "", name)
    print "/** @example " name " */"
    exit
}
