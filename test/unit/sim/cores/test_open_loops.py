"""Which loops of a kernel's text have a number of turns that the compiler does not know."""

import pytest

from allo_air.aie_api.open_loops import open_loops


def loop(head):
    return f'if (allo_aie::Loop allo_aie_loop{{"{head}", __func__}}; false) {{ }} else for ({head}) {{ }}'


def found(body, parameters="float *a, const int32_t n", more=""):
    return open_loops(f'{more} extern "C" void kernel({parameters}) {{ {body} }}', ["kernel"])


@pytest.mark.parametrize(
    ("body", "is_open"),
    [
        (loop("int i = 0; i < n; i += 16"), True),
        (loop("int i = 0; i < 64 * 2; ++i"), False),
        (f"const int end = n / 16; int more = end + 1; {loop('int i = 0; i < more; ++i')}", True),
        (f"const float *end = a + 64; {loop('; a < end; a += 16')}", False),
        (f"const float *end = a + n; {loop('; a < end; a += 16')}", True),
        (f"{loop('int i = 0; i < 4; ++i')} {{ {loop('int j = i; j < 8; ++j')} }}", False),
    ],
)
def test_what_a_core_passes_is_open(body, is_open):
    heads = found(body)
    assert bool(heads) == is_open
    assert all(function == "kernel" for function, _ in heads)


def test_functions_of_the_file_have_what_their_callers_pass():
    helper = f"template <int N> static void sum(float *x, int count) {{ {loop('int i = 0; i < count * N; ++i')} }}"
    head = '"int i = 0; i < count * N; ++i"'
    assert found("sum<4>(a, 64);", more=helper) == []
    assert found("sum<4>(a, 64); sum<2>(a, n >> 1);", more=helper) == [("sum", head)]
    between = "void twice(float *x, int half) { sum<1>(x, 2 * half); }"
    assert found("twice(a, n);", more=helper + between) == [("sum", head)]
