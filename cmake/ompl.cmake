# kerb_ompl: the Open Motion Planning Library as an imported target, where it and a C++ compiler are
# here. One line says what is missing. Sanitizers stay away from its headers, which are not ours to
# mend. After bullet.cmake, which chooses the C++ compiler.
if(NOT KERB_OMPL OR KERB_SANITIZE OR KERB_BUILD_FUZZERS)
    return()
endif()
include(CheckLanguage)
check_language(CXX)
find_path(KERB_OMPL_INCLUDE ompl/base/spaces/DubinsStateSpace.h
    PATH_SUFFIXES ompl-1.7 ompl-1.6 ompl-1.5 ompl)
find_path(KERB_OMPL_EIGEN_INCLUDE Eigen/Core PATH_SUFFIXES eigen3)
find_library(KERB_OMPL_LIBRARY ompl)
mark_as_advanced(KERB_OMPL_INCLUDE KERB_OMPL_EIGEN_INCLUDE KERB_OMPL_LIBRARY)
if(NOT CMAKE_CXX_COMPILER OR NOT KERB_OMPL_INCLUDE OR NOT KERB_OMPL_EIGEN_INCLUDE OR
        NOT KERB_OMPL_LIBRARY)
    message(STATUS "OMPL not found (Debian: libompl-dev, g++): shortest ways are not compared with "
        "its")
    return()
endif()
enable_language(CXX)
add_library(kerb_ompl INTERFACE IMPORTED GLOBAL)
set_target_properties(kerb_ompl PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${KERB_OMPL_INCLUDE};${KERB_OMPL_EIGEN_INCLUDE}"
    INTERFACE_LINK_LIBRARIES "${KERB_OMPL_LIBRARY}")
