# The pool library of the tree that this file lies in, as a vcpkg overlay port: headers only, no game, no other package.
set(VCPKG_BUILD_TYPE release)  # the headers are the same in debug
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../../.." ABSOLUTE)

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DSPELLPOOL_GAME=OFF -DSPELLPOOL_TESTS=OFF -DSPELLPOOL_SINGLE_HEADER=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME spellpool CONFIG_PATH lib/cmake/spellpool)

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/lib" "${CURRENT_PACKAGES_DIR}/share/doc")
file(INSTALL "${CURRENT_PORT_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
