/* SPDX-License-Identifier: MIT */
/*
 * db.c - SQLite with values going in and values coming out
 *
 * A worker has one connection, but many requests, and their queries run on several threads of the
 * pool. A prepared statement can serve only one of them at a time, so whoever queries holds the lock.
 * To wait for it is allowed here: it stops a thread of the pool, never a loop.
 */
#include "db.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#define BUSY_TIMEOUT 5000 /* ms to wait for another connection that writes */
#define WAL_ATTEMPTS 100

struct db {
    sqlite3 *handle;
    pthread_mutex_t lock;
    size_t count;
    sqlite3_stmt *statements[]; /* `count` of them */
};

/* ---- opening ---- */

static int run(sqlite3 *handle, const char *sql)
{
    return sqlite3_exec(handle, sql, NULL, NULL, NULL);
}

/*
 * With a write-ahead log readers do not wait for the writer. SQLite does not wait by itself when two
 * connections turn it on at the same time, so this does.
 */
static int turn_on_wal(sqlite3 *handle)
{
    int rc;

    for (int i = 0; i < WAL_ATTEMPTS; i++) {
        rc = run(handle, "PRAGMA journal_mode = WAL");
        if (rc != SQLITE_BUSY)
            break;
        sqlite3_sleep(BUSY_TIMEOUT / WAL_ATTEMPTS);
    }
    return rc;
}

static bool is_new(sqlite3 *handle)
{
    sqlite3_stmt *version;
    bool answer = false;

    if (sqlite3_prepare_v2(handle, "PRAGMA user_version", -1, &version, NULL) == SQLITE_OK)
        answer = sqlite3_step(version) == SQLITE_ROW && sqlite3_column_int(version, 0) == 0;
    sqlite3_finalize(version);
    return answer;
}

/* IMMEDIATE: of several workers that come at once, one fills the file and the others wait. */
static int fill(sqlite3 *handle, const char *seed)
{
    int rc = run(handle, "BEGIN IMMEDIATE");

    if (rc == SQLITE_OK && is_new(handle))
        rc = run(handle, seed);
    return rc == SQLITE_OK ? run(handle, "COMMIT") : rc; /* closing rolls back what is left open */
}

static int prepare(struct db *db, const char *const *sql)
{
    int rc = SQLITE_OK;

    for (size_t i = 0; i < db->count && rc == SQLITE_OK; i++)
        rc = sqlite3_prepare_v3(db->handle, sql[i], -1, SQLITE_PREPARE_PERSISTENT,
                                &db->statements[i], NULL);
    return rc;
}

static int open_handle(struct db *db, const struct db_opts *opts)
{
    /* NOMUTEX: our lock is enough. */
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    int rc = sqlite3_open_v2(opts->path, &db->handle, flags, NULL);

    if (rc == SQLITE_OK)
        rc = sqlite3_busy_timeout(db->handle, BUSY_TIMEOUT);
    if (rc == SQLITE_OK)
        rc = turn_on_wal(db->handle);
    if (rc == SQLITE_OK)
        rc = run(db->handle, "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
    if (rc == SQLITE_OK)
        rc = fill(db->handle, opts->seed);
    return rc == SQLITE_OK ? prepare(db, opts->sql) : rc;
}

int db_open(struct db **out, const struct db_opts *opts)
{
    size_t size = sizeof(struct db) + opts->count * sizeof(sqlite3_stmt *);
    struct db *db = calloc(1, size);

    *out = NULL;
    if (db == NULL)
        return SKUA_ERR_NOMEM;
    db->count = opts->count;
    pthread_mutex_init(&db->lock, NULL);
    if (open_handle(db, opts) != SQLITE_OK) {
        fprintf(stderr, "the database '%s' cannot be used: %s\n", opts->path, db_error(db));
        db_close(db);
        return SKUA_ERR_FAILED;
    }
    *out = db;
    return 0;
}

void db_close(struct db *db)
{
    if (db == NULL)
        return;
    for (size_t i = 0; i < db->count; i++)
        sqlite3_finalize(db->statements[i]);
    sqlite3_close(db->handle);
    pthread_mutex_destroy(&db->lock);
    free(db);
}

void db_lock(struct db *db)
{
    pthread_mutex_lock(&db->lock);
}

void db_unlock(struct db *db)
{
    pthread_mutex_unlock(&db->lock);
}

const char *db_error(const struct db *db)
{
    return sqlite3_errmsg(db->handle);
}

/* ---- querying ---- */

static int bind_value(sqlite3_stmt *statement, int at, const skua_value *value)
{
    skua_str text = skua_as_str(value);

    switch (skua_kind_of(value)) {
    case SKUA_INT:
        return sqlite3_bind_int64(statement, at, skua_as_int(value, 0));
    case SKUA_STRING:
        /* STATIC, that is not copied: the text outlives the query. */
        return sqlite3_bind_text64(statement, at, text.ptr, text.len, SQLITE_STATIC, SQLITE_UTF8);
    default:
        return sqlite3_bind_null(statement, at);
    }
}

static int bind_all(sqlite3_stmt *statement, const skua_value *params)
{
    int count = sqlite3_bind_parameter_count(statement), rc = SQLITE_OK;

    for (int i = 1; i <= count && rc == SQLITE_OK; i++) {
        const char *name = sqlite3_bind_parameter_name(statement, i) + 1; /* without the colon */

        rc = bind_value(statement, i, skua_get_value(params, name));
    }
    return rc;
}

static void read_column(skua_value *row, sqlite3_stmt *statement, int at)
{
    const char *name = sqlite3_column_name(statement, at);

    switch (sqlite3_column_type(statement, at)) {
    case SQLITE_INTEGER:
        skua_set(row, name, sqlite3_column_int64(statement, at));
        break;
    case SQLITE_TEXT:
        skua_set(row, name, (const char *)sqlite3_column_text(statement, at));
        break;
    default:
        skua_set_null(row, name);
    }
}

static int read_rows(skua_value *rows, sqlite3_stmt *statement)
{
    int rc;

    while ((rc = sqlite3_step(statement)) == SQLITE_ROW) {
        skua_value *row = skua_add_object(rows);

        for (int i = 0; i < sqlite3_column_count(statement); i++)
            read_column(row, statement, i);
    }
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int db_query(skua_value **rows, struct db *db, skua_arena *arena, size_t statement,
             const skua_value *params)
{
    sqlite3_stmt *prepared = db->statements[statement];
    int rc = bind_all(prepared, params);

    *rows = skua_array(arena);
    if (rc == SQLITE_OK)
        rc = read_rows(*rows, prepared);
    sqlite3_reset(prepared); /* says again what went wrong, so its result is no news */
    sqlite3_clear_bindings(prepared);
    return rc;
}
