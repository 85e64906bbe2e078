"""Programs of UHP: engines that we drive, our engine, and the bridge between a viewer and a server."""
