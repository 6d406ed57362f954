# kerb_bullet: the Bullet physics engine as an imported target, where it and a C++ compiler are here.
# One line says what is missing.
if(NOT KERB_BULLET)
    return()
endif()

# The compiler of the same make as C's, so that sanitizers and fuzzers link.
include(CheckLanguage)
if(CMAKE_C_COMPILER_ID MATCHES "Clang" AND NOT CMAKE_CXX_COMPILER)
    find_program(KERB_CLANG_CPP clang++)
    mark_as_advanced(KERB_CLANG_CPP)
    if(KERB_CLANG_CPP)
        set(CMAKE_CXX_COMPILER ${KERB_CLANG_CPP})
    endif()
endif()
check_language(CXX)
find_path(KERB_BULLET_INCLUDE btBulletDynamicsCommon.h PATH_SUFFIXES bullet)
set(KERB_BULLET_LIBRARIES "")
foreach(library BulletDynamics BulletCollision LinearMath)
    find_library(KERB_BULLET_${library} ${library})
    mark_as_advanced(KERB_BULLET_${library})
    list(APPEND KERB_BULLET_LIBRARIES ${KERB_BULLET_${library}})
endforeach()
mark_as_advanced(KERB_BULLET_INCLUDE)

if(NOT CMAKE_CXX_COMPILER)
    message(STATUS "No C++ compiler (Debian: g++): no physics of the Bullet engine")
    return()
endif()
if(NOT KERB_BULLET_INCLUDE OR KERB_BULLET_LIBRARIES MATCHES "NOTFOUND")
    message(STATUS "Bullet not found (Debian: libbullet-dev): no physics of the Bullet engine")
    return()
endif()
enable_language(CXX)
if((KERB_SANITIZE OR KERB_BUILD_FUZZERS) AND
        NOT CMAKE_CXX_COMPILER_ID STREQUAL CMAKE_C_COMPILER_ID)
    message(STATUS "C and C++ compilers differ, and so do their sanitizers: "
        "no physics of the Bullet engine")
    return()
endif()
add_library(kerb_bullet INTERFACE IMPORTED GLOBAL)
set_target_properties(kerb_bullet PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${KERB_BULLET_INCLUDE}"
    INTERFACE_LINK_LIBRARIES "${KERB_BULLET_LIBRARIES}")
