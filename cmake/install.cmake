# What `cmake --install` puts where: the libraries, the headers, the command, skua.pc for pkg-config,
# the package for find_package(Skua), and the man pages.
include(CMakePackageConfigHelpers)

install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(TARGETS skua_shared skua_static EXPORT SkuaTargets)
if(TARGET skua)
    install(TARGETS skua)
endif()

if(SKUA_LTO)
    # The intermediate code in the archive is of use to one version of one compiler only.
    install(CODE "execute_process(COMMAND \"${CMAKE_OBJCOPY}\" --wildcard --remove-section=.gnu.lto_*
        \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libskua.a\" COMMAND_ERROR_IS_FATAL ANY)")
endif()

# skua.pc finds its prefix from its own place, so the installed tree can be moved. `pkg-config --static`
# is for `cc -static`, which needs libuv's archive; not every system has a package file for that.
pkg_check_modules(UV_STATIC QUIET libuv-static)
if(UV_STATIC_FOUND)
    set(static_uv libuv-static)
else()
    set(static_uv libuv)
endif()
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
           OUTPUT_VARIABLE up_to_prefix)
configure_file(cmake/skua.pc.in skua.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/skua.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Before 1.0 each minor version may break.
write_basic_package_version_file(SkuaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/SkuaConfig.cmake ${PROJECT_BINARY_DIR}/SkuaConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Skua)
install(EXPORT SkuaTargets NAMESPACE Skua:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Skua)

foreach(section 1 3 7)
    file(GLOB pages CONFIGURE_DEPENDS docs/man/*.${section})
    if(pages)
        install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
    endif()
endforeach()
