/* SPDX-License-Identifier: MIT */
/*
 * db.h - SQLite with values going in and values coming out
 *
 * Every call here blocks. That is why only store.c calls them, on the thread pool.
 */
#ifndef SITE_DB_H
#define SITE_DB_H

#include <skua.h>

/* One connection to the database with its prepared statements. */
struct db;

/* What to open. */
struct db_opts {
    const char *path;
    const char *seed;       /* SQL that makes tables and contents when the file has none */
    const char *const *sql; /* the statements, known by their place in the table */
    size_t count;
};

/* 0, or a negative code after a line on stderr that says what is wrong. */
int db_open(struct db **out, const struct db_opts *opts);
void db_close(struct db *db);

/* Several queries of one thread after another: nobody else uses the connection meanwhile. */
void db_lock(struct db *db);
void db_unlock(struct db *db);

/*
 * Run a statement. Each ":name" in it takes the member of that name in `params`, an object; `*rows`
 * is an array with an object for each row, its members named as the columns are.
 *
 * 0, or a positive code of SQLite: then db_error tells more.
 */
int db_query(skua_value **rows, struct db *db, skua_arena *arena, size_t statement,
             const skua_value *params);
const char *db_error(const struct db *db);

#endif
