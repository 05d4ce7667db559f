# cmake --install build/release --prefix DIR
# Component `game`: the program, its data, its place in the desktop's menu.  Component `library`: the pools as headers, with a
# CMake package; another project says find_package(spellpool) and links spellpool::pool.
# Nothing that is installed knows its prefix: the program finds its data beside itself, in ../share/spellpool.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/spellpool)
set_target_properties(spellpool_core PROPERTIES EXPORT_NAME core)
set_target_properties(spellpool_pool PROPERTIES EXPORT_NAME pool)
install(TARGETS spellpool_core spellpool_pool EXPORT spellpool)
install(EXPORT spellpool NAMESPACE spellpool:: FILE spellpoolTargets.cmake DESTINATION ${package_dir} COMPONENT library)
install(DIRECTORY src/core src/pool DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/spellpool COMPONENT library
        FILES_MATCHING PATTERN *.hpp)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT library)
install(DIRECTORY tools/debug/ DESTINATION ${CMAKE_INSTALL_DATADIR}/spellpool/debug COMPONENT library
        FILES_MATCHING PATTERN spellpool*)
# All of it as one header, <spellpool_pool.hpp>: made when it is installed, in the build folder. Its maker needs bash and awk.
if(CMAKE_HOST_WIN32)
  set(single_header_default OFF)
else()
  set(single_header_default ON)
endif()
option(SPELLPOOL_SINGLE_HEADER "Install spellpool_pool.hpp too" ${single_header_default})
if(SPELLPOOL_SINGLE_HEADER)
  install(CODE "execute_process(COMMAND \"${PROJECT_SOURCE_DIR}/tools/single_header\"
                                \"${PROJECT_BINARY_DIR}/spellpool_pool.hpp\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT library)
  install(FILES ${PROJECT_BINARY_DIR}/spellpool_pool.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/spellpool COMPONENT library)
endif()
configure_package_config_file(cmake/spellpoolConfig.cmake.in ${PROJECT_BINARY_DIR}/spellpoolConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/spellpoolConfigVersion.cmake
                                 COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/spellpoolConfig.cmake ${PROJECT_BINARY_DIR}/spellpoolConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT library)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT library)

if(TARGET spellpool)
  install(TARGETS spellpool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT game)
  install(DIRECTORY assets shaders DESTINATION ${CMAKE_INSTALL_DATADIR}/spellpool COMPONENT game)
  install(FILES cmake/spellpool.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT game)
  if(EXISTS ${PROJECT_SOURCE_DIR}/assets/icon.svg)
    install(FILES assets/icon.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps
            RENAME spellpool.svg COMPONENT game)
  endif()
  install(FILES LICENSE CHANGELOG.md README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT game OPTIONAL)
  install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT game)
endif()
