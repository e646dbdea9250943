#ifndef C_HEAP_SIZE_H
#define C_HEAP_SIZE_H

#include <stddef.h>

/// The bytes that malloc has handed out and not had back, over all arenas and mapped blocks.
size_t heap_size_in_use(void);

/// The bytes of this process that are in physical memory, or 0 if the system does not say so. Freed
/// pages go back to the system first, where it has a call for that.
size_t resident_size(void);

#endif
