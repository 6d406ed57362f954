# `cmake --install` of kerb::io: as install.cmake for the library. The package's config takes it in
# where it is installed and what it stands on is found.
install(TARGETS kerb_io EXPORT kerb_io_targets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/kerb/io
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/kerb)
install(EXPORT kerb_io_targets NAMESPACE kerb:: DESTINATION ${KERB_PACKAGE_DIR})

set(KERB_IO_NEEDS_EXPAT OFF)
set(KERB_IO_PC_LIBRARIES "-lcjson")
if(TARGET kerb_expat)
    set(KERB_IO_NEEDS_EXPAT ON)
    string(APPEND KERB_IO_PC_LIBRARIES " -lexpat")
endif()
set(KERB_IO_NEEDS_YAML OFF)
if(TARGET kerb_yaml)
    set(KERB_IO_NEEDS_YAML ON)
    string(APPEND KERB_IO_PC_LIBRARIES " -lyaml")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/kerb_io.cmake.in kerb_io.cmake @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/kerb_io.cmake ${PROJECT_SOURCE_DIR}/cmake/find_library.cmake
    DESTINATION ${KERB_PACKAGE_DIR})

configure_file(${PROJECT_SOURCE_DIR}/cmake/kerb-io.pc.in kerb-io.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/kerb-io.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
