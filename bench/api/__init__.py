"""The API beside what one would write without it: short searches over HTTP."""
