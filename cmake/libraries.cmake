# The libraries that parts beside the core stand on, each as an imported target when it is here:
# kerb_cjson, kerb_cairo, kerb_expat, kerb_yaml, kerb_cmocka.
include(cmake/find_library.cmake)

if(KERB_BUILD_IO)
    kerb_find_library(cjson cjson/cJSON.h cjson "" libcjson-dev
        "no kerb command, no file formats")
    kerb_find_library(expat expat.h expat "" libexpat1-dev
        "no tracks are read from XML")
    kerb_find_library(yaml yaml.h yaml "" libyaml-dev
        "no maps of map_server are read")
endif()
if(KERB_BUILD_TOOL)
    kerb_find_library(cairo cairo.h cairo cairo libcairo2-dev
        "the kerb command draws no pictures")
endif()
if(KERB_BUILD_TESTS)
    kerb_find_library(cmocka cmocka.h cmocka "" libcmocka-dev "no tests")
endif()

# The rest is for tests, experiments and the command.
if(NOT KERB_BUILD_TOOL AND NOT KERB_BUILD_TESTS)
    return()
endif()

# A second physics for tests and experiments, in C++. The language is enabled here, at the top, so
# that whatever links to it is linked by the C++ compiler.
option(KERB_BULLET "Also build the vehicles in the Bullet physics engine, where it is found" ON)
include(cmake/bullet.cmake)

# Another library's shortest ways, to compare ours with.
option(KERB_OMPL "Also compare with OMPL, where it is found" ON)
include(cmake/ompl.cmake)

# Builds navigation meshes for kerb plan --mesh, and finds corridors, to compare ours with.
option(KERB_RECAST "Also plan on navigation meshes of Recast, where it is found" ON)
include(cmake/recast.cmake)
