// There is nothing to wait for before a page is asked for.

later(1);
