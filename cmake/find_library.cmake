# kerb_find_library(NAME HEADER LIBRARY SUFFIXES PACKAGE CONSEQUENCE): a library that something beside
# the core stands on, as the imported target kerb_NAME when it is here. Found by header and library,
# so that pkg-config is not needed. What is missing is named once, with what that costs.
# Installed too: kerb-config.cmake finds with it what kerb::io stands on.
function(kerb_find_library name header library suffixes package consequence)
    if(TARGET kerb_${name})
        return()
    endif()
    find_path(KERB_${name}_INCLUDE ${header} PATH_SUFFIXES ${suffixes})
    find_library(KERB_${name}_LIBRARY NAMES ${library} lib${library})
    mark_as_advanced(KERB_${name}_INCLUDE KERB_${name}_LIBRARY)
    if(KERB_${name}_INCLUDE AND KERB_${name}_LIBRARY)
        add_library(kerb_${name} INTERFACE IMPORTED GLOBAL)
        set_target_properties(kerb_${name} PROPERTIES
            INTERFACE_INCLUDE_DIRECTORIES "${KERB_${name}_INCLUDE}"
            INTERFACE_LINK_LIBRARIES "${KERB_${name}_LIBRARY}")
    else()
        message(STATUS "${name} not found (Debian: ${package}): ${consequence}")
    endif()
endfunction()
