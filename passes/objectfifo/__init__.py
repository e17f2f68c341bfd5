"""From objectFifos to buffers, locks, DMA programs and flows."""
