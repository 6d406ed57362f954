# The libraries that parts beside the core stand on, each as an imported target when it is here:
# kerb_cjson, kerb_cairo, kerb_expat, kerb_cmocka. Found by header and library, so that pkg-config is not
# needed. What is missing is named once, with what that costs.
function(kerb_find_library name header library suffixes package consequence)
    find_path(KERB_${name}_INCLUDE ${header} PATH_SUFFIXES ${suffixes})
    find_library(KERB_${name}_LIBRARY ${library})
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

if(KERB_BUILD_TOOL)
    kerb_find_library(cjson cjson/cJSON.h cjson "" libcjson-dev
        "no kerb command, no file formats")
    kerb_find_library(cairo cairo.h cairo cairo libcairo2-dev
        "the kerb command draws no pictures")
    kerb_find_library(expat expat.h expat "" libexpat1-dev
        "no tracks are read from XML")
endif()
if(KERB_BUILD_TESTS)
    kerb_find_library(cmocka cmocka.h cmocka "" libcmocka-dev "no tests")
endif()

# A second physics for tests and experiments, in C++. The language is enabled here, at the top, so
# that whatever links to it is linked by the C++ compiler.
option(KERB_BULLET "Also build the vehicles in the Bullet physics engine, where it is found" ON)
include(cmake/bullet.cmake)

# Another library's shortest ways, to compare ours with.
option(KERB_OMPL "Also compare with OMPL, where it is found" ON)
include(cmake/ompl.cmake)
