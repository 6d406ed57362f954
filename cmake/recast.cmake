# kerb_recast: Recast and Detour as an imported target, where they and a C++ compiler are here. One
# line says what is missing. Sanitizers stay away from them, as they are not ours to mend. After
# bullet.cmake, which chooses the C++ compiler.
if(NOT KERB_RECAST OR KERB_SANITIZE OR KERB_BUILD_FUZZERS)
    return()
endif()
include(CheckLanguage)
check_language(CXX)
find_path(KERB_RECAST_INCLUDE DetourNavMesh.h PATH_SUFFIXES recastnavigation recast)
find_library(KERB_RECAST_LIBRARY Recast)
find_library(KERB_DETOUR_LIBRARY Detour)
mark_as_advanced(KERB_RECAST_INCLUDE KERB_RECAST_LIBRARY KERB_DETOUR_LIBRARY)
if(NOT CMAKE_CXX_COMPILER OR NOT KERB_RECAST_INCLUDE OR NOT KERB_RECAST_LIBRARY OR
        NOT KERB_DETOUR_LIBRARY)
    message(STATUS "Recast not found (Debian: librecast-dev, g++): no kerb plan --mesh, corridors "
        "are not compared with Detour's")
    return()
endif()
enable_language(CXX)
add_library(kerb_recast INTERFACE IMPORTED GLOBAL)
set_target_properties(kerb_recast PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${KERB_RECAST_INCLUDE}"
    INTERFACE_LINK_LIBRARIES "${KERB_DETOUR_LIBRARY};${KERB_RECAST_LIBRARY}")
