/* SPDX-License-Identifier: MIT */
/*
 * store.c - what the site keeps, and how it is asked for
 *
 *   handler (fiber)                          thread pool
 *   fill in a job --- skua_work ---------->  all queries that one page needs
 *   use job.result <--- the fiber goes on -- done
 *
 * The loop serves other requests meanwhile. A job has an arena of its own, because that of the request
 * may be used by the loop's thread only; it is freed together with the request.
 */
#include "store.h"

#include "db.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#define JOB_MEMORY ((size_t)4 << 20) /* the most bytes that the answer to one request may take */

/* ---- statements ---- */

enum statement { COUNT_BIRDS, LIST_BIRDS, FIND_BIRD, LIST_SIGHTINGS, ADD_SIGHTING };

#define MATCHES                                                             \
    "name LIKE :pattern ESCAPE '\\' OR latin LIKE :pattern ESCAPE '\\' OR " \
    "family LIKE :pattern ESCAPE '\\'"

static const char *const statements[] = {
    [COUNT_BIRDS] = "SELECT count(*) AS total FROM birds WHERE " MATCHES,

    [LIST_BIRDS] = "SELECT id, name, latin, family, length_cm,"
                   "  (SELECT count(*) FROM sightings WHERE bird_id = birds.id) AS sightings"
                   " FROM birds WHERE " MATCHES " ORDER BY name LIMIT :limit OFFSET :offset",

    [FIND_BIRD] = "SELECT id, name, latin, family, length_cm, description,"
                  "  (SELECT count(*) FROM sightings WHERE bird_id = birds.id) AS reports,"
                  "  (SELECT max(date) FROM sightings WHERE bird_id = birds.id) AS last_seen"
                  " FROM birds WHERE id = :bird",

    [LIST_SIGHTINGS] = "SELECT id, place, date, count, observer, note FROM sightings"
                       " WHERE bird_id = :bird ORDER BY id DESC LIMIT 100",

    [ADD_SIGHTING] = "INSERT INTO sightings (bird_id, place, date, count, observer, note)"
                     " VALUES (:bird, :place, :date, :count, :observer, :note)"
                     " RETURNING id, bird_id, place, date, count, observer, note",
};

/* ---- a connection for each worker ---- */

/* Where each worker has its connection. Set once, before anything is served. */
static int slot = -1;

struct opening {
    struct db *db;
    struct db_opts opts;
};

static int open_database(void *arg)
{
    struct opening *opening = arg;

    return db_open(&opening->db, &opening->opts);
}

static int start(void **out, skua_app *app)
{
    const char *path = getenv("SITE_DB");
    skua_arena *arena = skua_arena_new(0);
    struct opening opening = {
        .opts.path = path != NULL ? path : "site.db",
        .opts.sql = statements,
        .opts.count = sizeof(statements) / sizeof(statements[0]),
    };
    skua_str seed;
    int err = skua_fs_read(&seed, arena, "seed.sql", 0);

    (void)app;
    if (err < 0)
        fprintf(stderr, "seed.sql: %s. Start the program in the folder that holds it\n",
                skua_err_text(err));
    opening.opts.seed = seed.ptr;
    if (err == 0)
        err = skua_work(open_database, &opening);
    skua_arena_free(arena);
    *out = opening.db;
    return err;
}

static int close_database(void *arg)
{
    db_close(arg);
    return 0;
}

static void stop(void *db)
{
    skua_work(close_database, db);
}

void store_use(skua_app *app)
{
    slot = skua_on_worker(app, start, stop);
}

/* ---- jobs ---- */

struct job {
    skua_req *req;
    skua_arena *arena;
    struct db *db;
    skua_value *params; /* for the queries */
    skua_value *result; /* an object, filled by the queries */
    int (*ask)(struct job *job);
    const char *error;
};

static void free_arena(void *arena)
{
    skua_arena_free(arena);
}

/* If memory is gone here everything is NULL, which all builders take; do_job finds out. */
static void begin_job(struct job *job, skua_req *req, int (*ask)(struct job *job))
{
    *job = (struct job){.req = req, .ask = ask, .db = skua_worker_data(req, slot)};
    job->arena = skua_arena_new(JOB_MEMORY);
    if (skua_defer(skua_req_arena(req), free_arena, job->arena) < 0)
        job->arena = NULL;
    job->params = skua_object(job->arena);
    job->result = skua_object(job->arena);
}

/* On the pool. Positive results are SQLite's. */
static int ask_database(void *arg)
{
    struct job *job = arg;
    int rc;

    db_lock(job->db);
    rc = job->ask(job);
    if (rc > 0)
        job->error = skua_format(job->arena, "%s", db_error(job->db));
    db_unlock(job->db);
    return rc;
}

static int do_job(skua_value **out, struct job *job)
{
    int rc = skua_arena_failed(job->arena) ? SKUA_ERR_NOMEM : skua_work(ask_database, job);

    *out = job->result;
    if (rc == SQLITE_BUSY)
        return SKUA_ERR_UNAVAILABLE;
    if (rc > 0)
        return skua_fail(job->req, 500, "DATABASE", "the database failed: %s", job->error);
    if (rc == SKUA_ERR_NOT_FOUND)
        return skua_fail(job->req, 404, "NO_BIRD", "there is no bird with this number");
    if (rc == 0 && skua_arena_failed(job->arena))
        return SKUA_ERR_NOMEM;
    return rc;
}

static int query(skua_value **rows, struct job *job, enum statement statement)
{
    return db_query(rows, job->db, job->arena, statement, job->params);
}

/* ---- the list ---- */

/*
 * A pattern for LIKE that finds `text` anywhere; a wildcard in it stands for itself. The caller has
 * bounded its length.
 */
static void set_pattern(struct job *job, const char *text)
{
    char pattern[2 * STORE_SEARCH_MOST + 3], *end = pattern;

    *end++ = '%';
    for (; *text != '\0'; text++) {
        if (strchr("%_\\", *text) != NULL)
            *end++ = '\\';
        *end++ = *text;
    }
    *end++ = '%';
    *end = '\0';
    skua_set(job->params, "pattern", pattern);
}

static int64_t clamp(int64_t number, int64_t least, int64_t most)
{
    return number < least ? least : number > most ? most : number;
}

static int ask_for_list(struct job *job)
{
    int64_t wanted = skua_as_int(skua_get_value(job->params, "page"), 1);
    int64_t total, pages, page;
    skua_value *rows;
    int rc = query(&rows, job, COUNT_BIRDS);

    if (rc != 0)
        return rc;
    total = skua_as_int(skua_get_value(skua_at(rows, 0), "total"), 0);
    pages = total > 0 ? (total + STORE_PAGE_SIZE - 1) / STORE_PAGE_SIZE : 1;
    page = clamp(wanted, 1, pages);
    skua_set(job->params, "limit", STORE_PAGE_SIZE);
    skua_set(job->params, "offset", (page - 1) * STORE_PAGE_SIZE);
    rc = query(&rows, job, LIST_BIRDS);
    skua_set(job->result, "birds", rows);
    skua_set(job->result, "total", total);
    skua_set(job->result, "page", page);
    skua_set(job->result, "pages", pages);
    return rc;
}

int store_list_birds(skua_value **out, skua_req *req, const char *search, int64_t page)
{
    struct job job;

    if (strlen(search) > STORE_SEARCH_MOST)
        return skua_fail(req, 400, "LONG_SEARCH", "a search has at most %d letters",
                         STORE_SEARCH_MOST);
    begin_job(&job, req, ask_for_list);
    set_pattern(&job, search);
    skua_set(job.params, "page", page);
    return do_job(out, &job);
}

/* ---- one bird ---- */

static int ask_for_bird(struct job *job)
{
    skua_value *birds, *sightings;
    int rc = query(&birds, job, FIND_BIRD);

    if (rc == 0 && skua_count(birds) == 0)
        rc = SKUA_ERR_NOT_FOUND;
    if (rc == 0)
        rc = query(&sightings, job, LIST_SIGHTINGS);
    if (rc != 0)
        return rc;
    skua_set(job->result, "bird", skua_at(birds, 0));
    skua_set(job->result, "sightings", sightings);
    return 0;
}

int store_find_bird(skua_value **out, skua_req *req, int64_t id)
{
    struct job job;

    begin_job(&job, req, ask_for_bird);
    skua_set(job.params, "bird", id);
    return do_job(out, &job);
}

/* ---- a new sighting ---- */

static int ask_to_add(struct job *job)
{
    skua_value *birds, *added;
    int rc = query(&birds, job, FIND_BIRD);

    if (rc == 0 && skua_count(birds) == 0)
        rc = SKUA_ERR_NOT_FOUND;
    if (rc == 0)
        rc = query(&added, job, ADD_SIGHTING);
    if (rc == 0)
        skua_set(job->result, "sighting", skua_at(added, 0));
    return rc;
}

int store_add_sighting(skua_value **out, skua_req *req, int64_t bird, const skua_value *sighting)
{
    struct job job;

    begin_job(&job, req, ask_to_add);
    job.params = skua_clone(job.arena, sighting);
    skua_set(job.params, "bird", bird);
    return do_job(out, &job);
}
