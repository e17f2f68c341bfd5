"""Loop nests of channel transfers outside of herds: taking them apart, fusing them around a buffer, shrinking the buffer."""
