"""The pool library of Spellpool as a Conan 2 package: headers only, no game, no other package.

    conan create packaging/conan
"""
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir

# The tree that this recipe lies in; only while it is exported.
ROOT = os.path.join("..", "..")


class SpellpoolPool(ConanFile):
    name = "spellpool-pool"
    description = "Object pools with handles that go stale safely: free list, bitmap, packed and by columns"
    license = "MIT"
    topics = ("object-pool", "memory", "gamedev", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    no_copy_source = True

    def set_version(self):
        lists = load(self, os.path.join(self.recipe_folder, ROOT, "CMakeLists.txt"))
        self.version = re.search(r"^project\(spellpool VERSION ([0-9.]+)", lists, re.MULTILINE).group(1)

    def export_sources(self):
        patterns = ("CMakeLists.txt", "LICENSE", "cmake/*", "third_party/dependencies.cmake",
                    "src/CMakeLists.txt", "src/core/*.hpp", "src/pool/*.hpp",
                    "tools/single_header", "tools/debug/*", "examples/*")
        for pattern in patterns:
            copy(self, pattern, src=os.path.join(self.recipe_folder, ROOT), dst=self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def package_id(self):
        self.info.clear()

    def validate(self):
        check_min_cppstd(self, 20)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["SPELLPOOL_GAME"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()

    def package(self):
        copy(self, "LICENSE", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))
        cmake = CMake(self)
        cmake.install(component="library")
        rmdir(self, os.path.join(self.package_folder, "lib"))  # Conan writes its own CMake package

    def package_info(self):
        self.cpp_info.includedirs = [os.path.join("include", "spellpool")]
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        self.cpp_info.set_property("cmake_file_name", "spellpool")
        self.cpp_info.set_property("cmake_target_name", "spellpool::pool")
