/* SPDX-License-Identifier: MIT */
/*
 * json.c - how fast JSON is read and written
 *
 *   json [NAME]      all documents, or the one of that name
 *
 * Each line is one measurement:
 *
 *   json-read document=records bytes=102400 arena=request: 1500 MB/s, 0.015 M/s
 *
 *   document   records   objects as an API gives them: short strings, numbers, some text
 *              text      long strings with some escapes and letters that are not ASCII
 *              integers  an array of integers of all lengths
 *              prices    an array of doubles with two decimals
 *              doubles   an array of doubles of 16 and 17 digits
 *              small     one object of a few members
 *   arena      request   as in a request: its chunks come from a pool that is already warm
 *              own       made with skua_arena_new and freed again, each time
 *
 * The time is the CPU time of the thread for the whole of it, arena and all. Of many short rounds
 * the fastest counts: whatever else the machine does can only make a round slower.
 */
#include "base/arena.h"
#include "base/buf.h"

#include <skua/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define DOCUMENT_SIZE 102400
#define ROUNDS        40
#define ROUND_NS      5e6
#define POOL_CHUNKS   1024 /* as a worker keeps them */

/* ---- the documents ---- */

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static unsigned below(uint64_t *seed, unsigned bound)
{
    return (unsigned)(next_random(seed) >> 32) % bound;
}

static void put_record(struct skua__buf *out, uint64_t *seed)
{
    static const char *const birds[] = {"Arctic tern", "Great skua", "Razorbill", "Little auk",
                                        "Northern gannet"};
    static const char *const places[] = {"Spey Bay", "Noss", "Bass Rock", "Sk\xc3\xa1lanes"};
    static const char *const notes[] = {
        "Two adults mobbing a gull above the shingle, then off to the north.",
        "Ringed as a chick, the code on the left leg was read as \\\"K7T\\\".",
        "Heard only.",
        "About forty on the water, half of them in moult\\nand a few with fish for the young.",
    };

    skua__buf_printf(out,
                     "{\"id\":%u,\"bird\":\"%s\",\"count\":%u,\"seen\":%s,\"observer\":null,"
                     "\"place\":{\"name\":\"%s\",\"latitude\":%u.%04u,\"longitude\":-%u.%04u},"
                     "\"time\":\"2026-%02u-%02uT%02u:%02u:00Z\",\"tags\":[\"coast\",\"%s\"],"
                     "\"note\":\"%s\"}",
                     below(seed, 1000000), birds[below(seed, 5)], below(seed, 200),
                     below(seed, 2) == 0 ? "true" : "false", places[below(seed, 4)],
                     50 + below(seed, 10), 1000 + below(seed, 9000), below(seed, 9),
                     1000 + below(seed, 9000), 1 + below(seed, 12), 1 + below(seed, 28),
                     below(seed, 24), below(seed, 60), below(seed, 2) == 0 ? "breeding" : "ringed",
                     notes[below(seed, 4)]);
}

static void put_text(struct skua__buf *out, uint64_t *seed)
{
    static const char *const words[] = {"the",          "wind",   "over", "water",   "\\\"tern\\\"",
                                        "k\xc3\xbcste", "turned", "and",  "cliff\\n"};

    skua__buf_put_char(out, '"');
    for (unsigned left = 20 + below(seed, 100); left > 0; left--) {
        skua__buf_put_str(out, skua_str_c(words[below(seed, below(seed, 4) == 0 ? 9 : 4)]));
        skua__buf_put_char(out, ' ');
    }
    skua__buf_put_char(out, '"');
}

static void put_integer(struct skua__buf *out, uint64_t *seed)
{
    skua__buf_put_int(out, (int64_t)next_random(seed) >> below(seed, 63));
}

static void put_price(struct skua__buf *out, uint64_t *seed)
{
    skua__buf_printf(out, "%u.%02u", below(seed, 1000), 1 + below(seed, 9) + 10 * below(seed, 10));
}

static void put_double(struct skua__buf *out, uint64_t *seed)
{
    skua__buf_printf(out, "%.17g", (double)(next_random(seed) >> 11) * 0x1p-53 * 1000);
}

static void put_small(struct skua__buf *out, uint64_t *seed)
{
    (void)seed;
    skua__buf_put_literal(
        out, "{\"id\":4711,\"name\":\"Arctic tern\",\"seen\":true,\"tags\":[\"coast\",\"sea\"]}");
}

static const struct document {
    const char *name;
    void (*put_item)(struct skua__buf *out, uint64_t *seed);
    size_t size; /* items are put into an array until it is this long; 0: one item alone */
} documents[] = {
    {"records", put_record, DOCUMENT_SIZE},   {"text", put_text, DOCUMENT_SIZE},
    {"integers", put_integer, DOCUMENT_SIZE}, {"prices", put_price, DOCUMENT_SIZE},
    {"doubles", put_double, DOCUMENT_SIZE},   {"small", put_small, 0},
};

static skua_str make_document(const struct document *document, struct skua__buf *out)
{
    uint64_t seed = 0x5ca1ab1e0ddba11u;

    while (out->len + 1 < document->size) {
        skua__buf_put_char(out, out->len == 0 ? '[' : ',');
        document->put_item(out, &seed);
    }
    if (document->size == 0)
        document->put_item(out, &seed);
    else
        skua__buf_put_char(out, ']');
    return skua__buf_str(out);
}

/* ---- the measurement ---- */

struct job {
    skua_str text;           /* what is read, or what comes out */
    const skua_value *value; /* what is written; NULL: read the text */
    struct skua__chunk_pool *pool;
    bool own;
};

static void work(const struct job *job, skua_arena *arena)
{
    skua_value *value;
    skua_str text;
    int err = job->value == NULL ? skua_json_read(&value, arena, job->text, NULL)
                                 : skua_json_write(&text, arena, job->value);

    if (err != 0) {
        fprintf(stderr, "json: failed: %s\n", skua_err_text(err));
        exit(1);
    }
}

static void run(const struct job *job, unsigned times)
{
    skua_arena request;

    skua__arena_init(&request, job->pool, 0);
    for (; times > 0; times--) {
        skua_arena *arena = job->own ? skua_arena_new(0) : &request;

        work(job, arena);
        if (job->own)
            skua_arena_free(arena);
        else
            skua__arena_reset(&request);
    }
}

static double cpu_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Nanoseconds for once, in the fastest round. */
static double measure(const struct job *job)
{
    double fastest = 0;
    unsigned times = 1;

    for (int round = 0; round < ROUNDS;) {
        double start = cpu_ns(), whole, once;

        run(job, times);
        whole = cpu_ns() - start;
        once = whole / times;
        if (whole < ROUND_NS / 2) {
            times *= 2;
            continue;
        }
        if (round++ == 0 || once < fastest)
            fastest = once;
    }
    return fastest;
}

static void report(const char *document, const struct job *job)
{
    double ns = measure(job);

    printf("json-%s document=%s bytes=%zu arena=%s: %.0f MB/s, %.3g M/s\n",
           job->value == NULL ? "read" : "write", document, job->text.len,
           job->own ? "own" : "request", (double)job->text.len * 1e3 / ns, 1e3 / ns);
    fflush(stdout);
}

static void measure_document(const struct document *document)
{
    struct skua__chunk_pool pool = {.most = POOL_CHUNKS};
    skua_arena *arena = skua_arena_new(0);
    struct job reading = {.pool = &pool}, writing = {.pool = &pool};
    struct skua__buf buf;
    skua_value *value;

    skua__buf_init(&buf, NULL);
    reading.text = make_document(document, &buf);
    if (skua_json_read(&value, arena, reading.text, NULL) != 0 ||
        skua_json_write(&writing.text, arena, value) != 0)
        exit(1);
    writing.value = value;
    for (int own = 0; own < 2; own++) {
        reading.own = writing.own = own != 0;
        report(document->name, &reading);
        report(document->name, &writing);
    }
    skua_arena_free(arena);
    skua__buf_finish(&buf);
    skua__chunk_pool_finish(&pool);
}

int main(int argc, char **argv)
{
    bool found = false;

    for (size_t i = 0; i < sizeof(documents) / sizeof(documents[0]); i++) {
        if (argc > 1 && strcmp(argv[1], documents[i].name) != 0)
            continue;
        measure_document(&documents[i]);
        found = true;
    }
    if (!found)
        fputs("usage: json [records | text | integers | prices | doubles | small]\n", stderr);
    return found ? 0 : 2;
}
