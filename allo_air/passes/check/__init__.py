"""What a design may not do, asked before it runs: channels, deadlocks, locality, memory, BDs, routes and tasks."""
