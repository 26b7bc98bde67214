"""Games at a terminal, for people: playing against agents, and stepping through recorded games."""
