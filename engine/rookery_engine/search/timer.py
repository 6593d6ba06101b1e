"""Timer of a search: its limits by a clock or by nodes.

`clock` divides the time; this reads the clock.  While the engine ponders, or analyses
without an end, the time is never up.
"""

from cython.cimports.rookery_engine.core.system import now

from rookery_engine.shell.clock import NodeClock, time_bounds

FOREVER = 1 << 62
NS = 1_000_000  # in a millisecond


class Timer:
    """The timer of a game's searches, one after the other."""

    def __init__(self) -> None:
        self.new_game()

    def new_game(self) -> None:
        """Reset the game's clock of nodes."""
        self.node_clock = NodeClock()

    def start(self, limits, options, white):
        """Start the clock of a search."""
        self.started = self.clock_from = now()
        self.limits = limits
        self.white = white
        self.set_bounds(options)
        self.pondering = limits.ponder
        nodes = limits.nodes
        self.node_limit = FOREVER if nodes is None else max(1, min(nodes, FOREVER))
        self.nodes_from = 0

    def set_bounds(self, options):
        """Divide the clock, or the game's clock of nodes."""
        overhead = options.number("Move Overhead")
        rate = options.number("nodestime")
        limits = self.limits
        if rate:
            overhead = 0
            limits = self.node_clock.convert(limits, white=self.white, rate=rate)
        self.in_nodes = rate > 0
        ponders = options.flag("Ponder")
        self.bounds = time_bounds(limits, white=self.white, overhead=overhead, ponders=ponders)

    def limit_nodes(self, nodes):
        """Limit the nodes of this search, from the next `set_deadline` on."""
        self.node_limit = min(self.node_limit, nodes)

    def set_deadline(self, signals):
        """Set the hard limits in the signals to the search threads."""
        deadline = FOREVER
        nodes = self.node_limit
        if not self.must_hold() and self.bounds.hard is not None:
            if self.in_nodes:
                nodes = min(nodes, self.nodes_from + max(1, int(self.bounds.hard)))
            else:
                deadline = self.clock_from + int(self.bounds.hard * NS)
        signals.max_nodes = nodes
        signals.deadline = deadline

    def ponderhit(self, nodes):
        """Start the clock now, after so many nodes."""
        self.clock_from = now()
        self.nodes_from = nodes
        self.pondering = False

    def must_hold(self):
        """Say whether the best move must be held back until the GUI asks for it."""
        return self.pondering or self.limits.infinite

    def is_running(self):
        """Say whether there is a time after which no iteration should be started."""
        return not self.must_hold() and self.bounds.soft is not None

    def is_late(self, nodes, factor):
        """Say whether the soft bound times `factor` has passed, with so many nodes in all.

        Time spent pondering counts.
        """
        soft = self.bounds.soft * factor
        if self.in_nodes:
            return nodes >= soft
        return now() - self.started >= soft * NS

    def charge_nodes(self, nodes):
        """Subtract a search of so many nodes from the game's clock of nodes."""
        if self.in_nodes and not self.pondering:
            self.node_clock.subtract_nodes(
                self.limits, white=self.white, nodes=nodes - self.nodes_from
            )
