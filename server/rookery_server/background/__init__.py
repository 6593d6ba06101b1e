"""Work of low priority: the engines that one server gives to it beside the searches of clients."""
