// RUN: not allo-opt %s --air-unroll-channel-by-factor='channel-name=e unroll-factor=2' 2>&1 | filecheck %s --check-prefix=NAME
// RUN: not allo-opt %s --air-unroll-channel-by-factor='channel-name=c unroll-dim=1' 2>&1 | filecheck %s --check-prefix=DIM
// RUN: not allo-opt %s --air-unroll-channel-by-factor='channel-name=c unroll-factor=0' 2>&1 | filecheck %s --check-prefix=FACTOR

// NAME:   error: air-unroll-channel-by-factor: there is no channel 'e'; the module has: c
// DIM:    error: 'air.channel' op has no dimension 1, as unroll-dim says; its dimensions are 0 to 0
// FACTOR: error: air-unroll-channel-by-factor: unroll-factor is 0, expected at least 1
air.channel @c [2]
