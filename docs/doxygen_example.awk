# A program of examples/ as Doxygen wants it: nothing but the comment at its top, as an example.

BEGIN {
    name = ARGV[1]
    sub(/.*\//, "", name)
    print "/** @example " name
}
/^\/\// { sub(/^\/\/ ?/, ""); print; next }
{ exit }
END { print "*/" }
