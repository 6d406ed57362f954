# Kerb's headers as Doxygen wants them: the comment at the top becomes the file's, and
# "// ----- title" lines become member groups.

NR == 1 && /^\/\/ / { print "/// @file"; print "/// @brief " substr($0, 4); print "///"; top = 1; next }
top && /^\/\// { print "/" $0; next }
{ top = 0 }
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
