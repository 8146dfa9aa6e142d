// The search indexes filter by `holds_to` in the place of `valid_to`: graph_memory/store/migrations.py makes them anew, with
// vectors of the size that the store has.
DROP INDEX memory_live_end IF EXISTS;
