"""How a program ran: reports, pictures, plots, traces."""
