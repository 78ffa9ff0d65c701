"""The read models in Redis: derived from the log, thrown away and made again at any time.

Per game a hash of ready-made documents; across games, lists. Every write is whole and absolute and
passes one guard (never an older version over a newer one), so whoever writes twice does no harm.
"""
