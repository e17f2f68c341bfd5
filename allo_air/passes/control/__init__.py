"""Control packets: the overlay that carries them to the tiles, and the DMA that sends them."""

WORKS_ON = ("aie.*", "aiex.*")
