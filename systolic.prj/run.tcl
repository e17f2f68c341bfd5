# vitis_hls -f run.tcl
open_project -reset out.prj
set_top systolic
add_files kernel.cpp
open_solution "solution1"
set_part {xcu280-fsvh2892-2L-e}
create_clock -period 3.33 -name default
csynth_design
exit
