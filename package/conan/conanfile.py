"""Kerb for Conan 2, from the tree that this recipe is part of:

    conan create package/conan --build=missing -o "kerb/*:io=True"
"""

import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, CMakeDeps, cmake_layout
from conan.tools.files import copy, load, rmdir


class Kerb(ConanFile):
    name = "kerb"
    description = "Drives the vehicles in your game"
    license = "MIT"
    topics = ("game-development", "path-following", "racing", "steering", "motion-planning")
    package_type = "library"
    settings = "os", "compiler", "build_type", "arch"
    options = {"shared": [True, False], "fPIC": [True, False], "io": [True, False]}
    default_options = {"shared": False, "fPIC": True, "io": False}
    implements = ["auto_shared_fpic"]
    languages = "C"

    @property
    def _root(self):
        return os.path.join(self.recipe_folder, os.pardir, os.pardir)

    def set_version(self):
        header = load(self, os.path.join(self._root, "include", "kerb", "base.h"))
        self.version = re.search(r'^#define KERB_VERSION "(.*)"', header, re.MULTILINE).group(1)

    def export_sources(self):
        for part in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*", "io/*"):
            copy(self, part, self._root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        if self.options.io:
            self.requires("cjson/[>=1.7.15 <2]")
            self.requires("expat/[>=2.5 <3]")
            self.requires("libyaml/[>=0.2.5 <1]")

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["KERB_BUILD_TOOL"] = False
        toolchain.cache_variables["KERB_BUILD_TESTS"] = False
        toolchain.cache_variables["KERB_BUILD_IO"] = bool(self.options.io)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        # Conan writes these for its own users.
        for folder in ("lib/cmake", "lib/pkgconfig", "share"):
            rmdir(self, os.path.join(self.package_folder, folder))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "kerb")
        self.cpp_info.set_property("cmake_target_name", "kerb::all")
        core = self.cpp_info.components["kerb"]
        core.set_property("cmake_target_name", "kerb::kerb")
        core.set_property("pkg_config_name", "kerb")
        core.libs = ["kerb"]
        if self.options.shared:
            core.defines = ["KERB_SHARED"]
        if self.settings.os in ("Linux", "FreeBSD"):
            core.system_libs = ["m"]
        if self.options.io:
            io = self.cpp_info.components["io"]
            io.set_property("cmake_target_name", "kerb::io")
            io.set_property("pkg_config_name", "kerb-io")
            io.libs = ["kerb_io"]
            io.requires = ["kerb", "cjson::cjson", "expat::expat", "libyaml::libyaml"]
