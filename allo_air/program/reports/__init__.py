"""Reports of how a program ran: text, HTML pages, plots, traces."""
