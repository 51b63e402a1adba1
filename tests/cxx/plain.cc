/* SPDX-License-Identifier: MIT */
/*
 * A C++17 program that uses only the plain functions: the headers are C++, the names link, and
 * nothing that matters hides behind a macro that C++ has not.
 */
#include <skua.h>

#include <cstdio>
#include <string_view>

static std::string_view view(skua_str s)
{
    return std::string_view(s.ptr, s.len);
}

static bool holds(bool fact, const char *what)
{
    if (!fact)
        std::fprintf(stderr, "does not hold: %s\n", what);
    return fact;
}

/* What one program writes another reads: build, write, read back, look. */
static bool values_and_json(skua_arena *arena)
{
    skua_value *bird = skua_object(arena);
    skua_value *back = nullptr;
    skua_str text = skua_str_c(nullptr);
    bool ok = true;

    skua_set_string(bird, "name", "Great skua");
    skua_set_int(bird, "wingspan", 132);
    skua_set_bool(bird, "feared", true);
    skua_set_value(bird, "eggs", skua_add_int(skua_add_int(skua_array(arena), 1), 2));
    ok &= holds(skua_json_write(&text, arena, bird) == 0, "the value is written");
    ok &= holds(view(text) == R"({"name":"Great skua","wingspan":132,"feared":true,"eggs":[1,2]})",
                "the text is what was built");
    ok &= holds(skua_json_read(&back, arena, text, nullptr) == 0, "the text is read");
    ok &= holds(skua_as_int(skua_get_value(back, "wingspan"), 0) == 132, "the number is back");
    ok &= holds(skua_count(skua_get_value(back, "eggs")) == 2, "the array is back");
    return ok;
}

int main()
{
    skua_arena *arena = skua_arena_new(0);
    bool ok = values_and_json(arena);

    ok &= holds(!skua_arena_failed(arena), "the arena is sound");
    ok &= holds(std::string_view(skua_err_name(SKUA_ERR_NOMEM)) == "SKUA_ERR_NOMEM",
                "errors have names");
    skua_arena_free(arena);
    return ok ? 0 : 1;
}
