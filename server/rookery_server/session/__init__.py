"""Sessions: one conversation between a client and an engine each, and what carries it out.

The package follows three models.

- h11's connection: states and their transitions are tables (`commands`), what a peer says
  moves them, and a line that makes no sense is answered without harm to the conversation.
- websockets' `Protocol`: the core (`Session`) takes lines and events, and calls nothing outside;
  its caller asks afterwards what is to be done, `for_engine`, `for_client` and `needs`, as
  one asks `data_to_send`.  To collect is cheaper than a list of effects for each of the `info`
  lines, which are nearly all there is.
- httpcore's `_assign_requests_to_connections`: the scheduler decides in one pass what
  each session gets, with nothing but its own books changed, and what follows for others is done
  outside of it.

`actor`, with its parts `backpressure` and `engine_lease`, is the shell around one session;
`manager`, `control_commands`, `cache_recorder` and `client_channel` are those around all of them.
The other modules are pure: no I/O, no clock, no reference to anything that acts.
"""
