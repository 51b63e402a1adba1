/* SPDX-License-Identifier: MIT */
/*
 * replay.c - gives a fuzz target the files that are named, or that lie in the folders named
 *
 * This takes the place of libFuzzer where there is none, so every compiler and every sanitizer runs
 * the corpus. Each file's name is printed before it is tried: when the target dies, the last line
 * says on what. A folder without files is a failure, as a test that tries nothing would pass.
 */
#include "fuzz.h"

#include <dirent.h>
#include <sys/stat.h>

static int complain(const char *path)
{
    perror(path);
    return -1;
}

/* All bytes of a file in a block of their exact size. NULL: it cannot be read. */
static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    struct stat stat_of_file;
    uint8_t *data = NULL;

    if (file == NULL)
        return NULL;
    if (fstat(fileno(file), &stat_of_file) == 0) {
        *size = (size_t)stat_of_file.st_size;
        data = malloc(*size > 0 ? *size : 1);
    }
    if (data != NULL && fread(data, 1, *size, file) != *size) {
        free(data);
        data = NULL;
    }
    fclose(file);
    return data;
}

static int replay_file(const char *path)
{
    size_t size;
    uint8_t *data = read_file(path, &size);

    if (data == NULL)
        return complain(path);
    fprintf(stderr, "%s\n", path);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 1;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* The files of a folder, by name. How many, or -1. */
static int replay_folder(const char *path)
{
    struct dirent **entries;
    int count = scandir(path, &entries, is_visible, alphasort);
    int err = 0;

    if (count < 0)
        return complain(path);
    for (int i = 0; i < count; i++) {
        char file[4096];

        snprintf(file, sizeof(file), "%s/%s", path, entries[i]->d_name);
        if (replay_file(file) < 0)
            err = -1;
        free(entries[i]);
    }
    free(entries);
    return err < 0 ? err : count;
}

static int replay(const char *path)
{
    struct stat stat_of_path;

    if (stat(path, &stat_of_path) != 0)
        return complain(path);
    return S_ISDIR(stat_of_path.st_mode) ? replay_folder(path) : replay_file(path);
}

int main(int argc, char **argv)
{
    int total = 0, status = 0;

    for (int i = 1; i < argc; i++) {
        int count = replay(argv[i]);

        if (count <= 0)
            status = 1;
        else
            total += count;
    }
    fprintf(stderr, "%d inputs\n", total);
    return total > 0 ? status : 1;
}
