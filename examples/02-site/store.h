/* SPDX-License-Identifier: MIT */
/*
 * store.h - what the site keeps: birds and sightings
 *
 * The functions wait for the database without holding up the loop. What they give is an object that
 * lives as long as the request; add to it what else the page needs. They return 0 or a failure that is
 * described already, to be returned from the handler.
 */
#ifndef SITE_STORE_H
#define SITE_STORE_H

#include <skua.h>

#define STORE_PAGE_SIZE   12
#define STORE_SEARCH_MOST 60 /* bytes of a search */

/* Have each worker open the database before its first request and close it after its last one. */
void store_use(skua_app *app);

/*
 * One page of the birds in whose names or family `search` occurs ("" finds all). A page that does not
 * exist is taken for the nearest that does.
 *
 *   {birds: [{id, name, latin, family, length_cm, sightings}…], total, page, pages}
 */
SKUA_YIELDS int store_list_birds(skua_value **out, skua_req *req, const char *search, int64_t page);

/*
 * A bird with its latest sightings, or a 404.
 *
 *   {bird: {id, name, latin, family, length_cm, description, reports, last_seen},
 *    sightings: [{id, place, date, count, observer, note}…]}
 */
SKUA_YIELDS int store_find_bird(skua_value **out, skua_req *req, int64_t id);

/*
 * Keep a sighting, or a 404 if there is no such bird.
 *
 *   sighting: {place, date, count, observer, note}, as form_read leaves it
 *   out:      {sighting: {id, bird_id, place, date, count, observer, note}}
 */
SKUA_YIELDS int store_add_sighting(skua_value **out, skua_req *req, int64_t bird,
                                   const skua_value *sighting);

#endif
