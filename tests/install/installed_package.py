"""Installs a build of Kasen, and builds programs of others against it."""
import shutil
import subprocess


def install(cmake, build, scratch):
    """The prefix of an installation below `scratch`, which is emptied; moved there from where it was installed to, as a
    package must not depend on where it was made."""
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    first, prefix = scratch / "first", scratch / "prefix"
    subprocess.run([cmake, "--install", build, "--prefix", first], check=True, stdout=subprocess.DEVNULL)
    first.rename(prefix)
    for file in prefix.rglob("*.cmake"):
        assert str(first) not in file.read_text(encoding="utf-8"), f"{file} names the prefix it was installed to"
    return prefix


WITHOUT_OPTIMIZATION = "CMAKE_BUILD_TYPE is empty"


def configure(cmake, compiler, build_type, source, build, prefix):
    """What CMake warns of when it configures `source`."""
    run = subprocess.run([cmake, "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}",
                          f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_BUILD_TYPE={build_type}"],
                         stderr=subprocess.PIPE, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stderr


def build_programs(cmake, compiler, build_type, source, prefix):
    """The folder of the programs that `source`/CMakeLists.txt describes."""
    build = source / "build"
    warnings = configure(cmake, compiler, build_type, source, build, prefix)
    assert WITHOUT_OPTIMIZATION not in warnings, warnings
    subprocess.run([cmake, "--build", build, "--parallel", "2"], check=True)
    return build
