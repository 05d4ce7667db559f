"""fake_conan.py RECIPE SCRATCH CMAKE GENERATOR

Runs the methods of a Conan recipe in Conan's order, with stand-ins for its tools.
Prints NAME VERSION INCLUDE_FOLDER of the package that it leaves in SCRATCH/package.
"""
import fnmatch
import os
import runpy
import shutil
import subprocess
import sys
import types

recipe, scratch, cmake, generator = sys.argv[1:]
cache_variables = {}


def module(name, **contents):
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(contents)


def copy(conanfile, pattern, src, dst):
    """Conan's patterns are fnmatch's: * matches / too."""
    copied = 0
    for folder, folders, files in os.walk(src):
        folders[:] = [f for f in folders if f not in (".git", "build")]
        for file in files:
            path = os.path.relpath(os.path.join(folder, file), src)
            if fnmatch.fnmatchcase(path, pattern):
                os.makedirs(os.path.dirname(os.path.join(dst, path)), exist_ok=True)
                shutil.copy2(os.path.join(folder, file), os.path.join(dst, path))
                copied += 1
    assert copied, pattern + " matches no file of " + src


class CMake:
    def __init__(self, conanfile):
        self.its = conanfile

    def run(self, *arguments):
        subprocess.run([cmake, *arguments], check=True, stdout=sys.stderr)

    def configure(self):
        options = ["-D%s=%s" % (name, "ON" if value else "OFF") for name, value in cache_variables.items()]
        self.run("-S", self.its.source_folder, "-B", self.its.build_folder, "-G", generator, *options)

    def install(self, component):
        its = self.its
        self.run("--install", its.build_folder, "--prefix", its.package_folder, "--component", component)


class CMakeToolchain:
    def __init__(self, conanfile):
        self.cache_variables = cache_variables

    def generate(self):
        pass


class ConanFile:
    recipe_folder = os.path.dirname(os.path.abspath(recipe))
    export_sources_folder = source_folder = os.path.join(scratch, "source")
    build_folder = os.path.join(scratch, "build")
    package_folder = os.path.join(scratch, "package")

    def __init__(self):
        self.info = types.SimpleNamespace(clear=lambda: None)
        self.properties = {}
        self.cpp_info = types.SimpleNamespace(set_property=self.properties.__setitem__)


def load(conanfile, path):
    with open(path, encoding="utf-8") as file:
        return file.read()


module("conan", ConanFile=ConanFile)
module("conan.tools")
module("conan.tools.build", check_min_cppstd=lambda conanfile, standard: None)
module("conan.tools.cmake", CMake=CMake, CMakeToolchain=CMakeToolchain, cmake_layout=lambda conanfile: None)
module("conan.tools.files", copy=copy, load=load, rmdir=lambda conanfile, path: shutil.rmtree(path))

contents = [c for c in runpy.run_path(recipe).values() if isinstance(c, type)]
its = next(c for c in contents if issubclass(c, ConanFile) and c is not ConanFile)()
methods = "set_version export_sources layout validate package_id generate build package package_info"
for method in methods.split():
    getattr(its, method)()
assert its.properties == {"cmake_file_name": "spellpool", "cmake_target_name": "spellpool::pool"}
print(its.name, its.version, os.path.join(its.package_folder, its.cpp_info.includedirs[0]))
