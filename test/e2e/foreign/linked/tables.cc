// A table that another file's kernel reads.
#include <aie_api/aie.hpp>

alignas(aie::vector_decl_align) float zeros_of_a_fill[1] = {0.0f};
