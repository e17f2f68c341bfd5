// Nothing of it is used by what is emitted.
#pragma once
