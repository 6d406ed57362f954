#!/bin/sh
# The recipes in package/ agree with the tree: their version is that of kerb/base.h, and what the Conan
# recipe exports can be configured. vcpkg and Conan themselves are not needed; Python is.
set -eu
cd "$(dirname "$0")/../.."
if ! command -v python3 >/dev/null; then
    echo "packages: python3 is not installed: skipped"
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

version=$(sed -n 's/^#define KERB_VERSION "\(.*\)"/\1/p' include/kerb/base.h)
port=$(python3 -c 'import json; print(json.load(open("package/vcpkg/kerb/vcpkg.json"))["version"])')
if [ "$port" != "$version" ]; then
    echo "packages: package/vcpkg/kerb/vcpkg.json has version $port, kerb/base.h has $version"
    exit 1
fi

# Stand-ins for the parts of Conan that setting the version and exporting the sources take.
recipe=$(python3 -B - "$folder/export" <<'END'
import fnmatch, importlib.util, os, shutil, sys, types

def copy(recipe, pattern, source, target):
    for folder, _, files in os.walk(source):
        for file in files:
            path = os.path.relpath(os.path.join(folder, file), source)
            if fnmatch.fnmatch(path, pattern):
                os.makedirs(os.path.dirname(os.path.join(target, path)), exist_ok=True)
                shutil.copy(os.path.join(source, path), os.path.join(target, path))

def module(name, **parts):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(parts)

module("conan", ConanFile=type("ConanFile", (), {}))
module("conan.tools")
module("conan.tools.cmake", CMake=None, CMakeToolchain=None, CMakeDeps=None, cmake_layout=None)
module("conan.tools.files", copy=copy, load=lambda recipe, path: open(path).read(), rmdir=None)
spec = importlib.util.spec_from_file_location("kerb", "package/conan/conanfile.py")
conanfile = importlib.util.module_from_spec(spec)
spec.loader.exec_module(conanfile)
kerb = conanfile.Kerb()
kerb.recipe_folder = os.path.abspath("package/conan")
kerb.export_sources_folder = sys.argv[1]
kerb.set_version()
kerb.export_sources()
print(kerb.version)
END
)
if [ "$recipe" != "$version" ]; then
    echo "packages: package/conan/conanfile.py takes version $recipe, kerb/base.h has $version"
    exit 1
fi
if ! cmake -S "$folder/export" -B "$folder/build" -DKERB_BUILD_TOOL=OFF -DKERB_BUILD_TESTS=OFF \
    -DKERB_BUILD_IO=ON >"$folder/log" 2>&1; then
    cat "$folder/log"
    echo "packages: what the Conan recipe exports cannot be configured"
    exit 1
fi
echo "packages: the recipes have version $version, and what they export can be configured"
