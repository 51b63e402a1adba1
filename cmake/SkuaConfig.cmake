# find_package(Skua) gives Skua::skua, the shared library, and Skua::skua_static, the archive.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/SkuaTargets.cmake)
