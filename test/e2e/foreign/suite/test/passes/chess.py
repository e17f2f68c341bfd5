# REQUIRES: chess
# RUN: false
