"""Published measurements, each with the design that the simulator runs to predict it."""
