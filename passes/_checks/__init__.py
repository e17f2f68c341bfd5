"""What the check passes share: the analyses behind them, one a file, and the findings they report."""
