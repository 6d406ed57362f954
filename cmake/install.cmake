# `cmake --install`: the library, its headers, find_package(kerb) and pkg-config.
include(CMakePackageConfigHelpers)

set(KERB_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/kerb)

install(TARGETS kerb EXPORT kerb_targets)
install(DIRECTORY include/kerb DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} PATTERN io EXCLUDE)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(EXPORT kerb_targets NAMESPACE kerb:: DESTINATION ${KERB_PACKAGE_DIR})

configure_package_config_file(cmake/kerb-config.cmake.in kerb-config.cmake
    INSTALL_DESTINATION ${KERB_PACKAGE_DIR} NO_SET_AND_CHECK_MACRO)
# Below 1.0 a new minor version may change the interface.
write_basic_package_version_file(kerb-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/kerb-config.cmake ${PROJECT_BINARY_DIR}/kerb-config-version.cmake
    DESTINATION ${KERB_PACKAGE_DIR})

# The way from the .pc file back to the prefix, so that the installed tree can be moved.
file(RELATIVE_PATH KERB_PKGCONFIG_TO_PREFIX
    ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
set(KERB_PC_DEFINITIONS "")
if(BUILD_SHARED_LIBS)
    set(KERB_PC_DEFINITIONS " -DKERB_SHARED")
endif()
# Of a shared library too: functions in the headers call sqrtf.
set(KERB_PC_LIBRARIES "")
if(UNIX)
    set(KERB_PC_LIBRARIES " -lm")
endif()
configure_file(cmake/kerb.pc.in kerb.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/kerb.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
