#ifndef C_HEAP_SIZE_H
#define C_HEAP_SIZE_H

#include <stddef.h>

/// The bytes that malloc has handed out and not had back, over all arenas and mapped blocks.
size_t heap_size_in_use(void);

#endif
