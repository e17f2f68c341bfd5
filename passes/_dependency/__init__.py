"""The task graph of asynchronous operations: planning it, writing it as tokens, reducing and drawing it."""
