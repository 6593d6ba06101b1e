"""Sessions: one conversation between a client and an engine each, without any I/O.

The package follows two models.

- h11's connection: states and their transitions are tables (`commands`), what a peer says
  moves them, and a line that makes no sense is answered without harm to the conversation.
- websockets' `Protocol`: the core (`Session`) takes lines and events, and calls nothing outside;
  its caller asks afterwards what is to be done, `for_engine`, `for_client` and `needs`, as
  one asks `data_to_send`.  To collect is cheaper than a list of effects for each of the `info`
  lines, which are nearly all there is.

All modules are pure: no I/O, no clock, no reference to anything that acts.  The shell around one
session is in `rookery_server.actor`, that around all of them is `rookery_server.manager`.
"""
