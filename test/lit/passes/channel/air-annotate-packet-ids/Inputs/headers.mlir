air.channel @d [1, 2] {channel_type = "npu_dma_packet", keep_pkt_header}
