#include "CHeapSize.h"

#if defined(__APPLE__)
#include <mach/mach.h>
#include <malloc/malloc.h>

size_t heap_size_in_use(void) { return mstats().bytes_used; }

size_t resident_size(void) {
  struct mach_task_basic_info info;
  mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
  kern_return_t result =
      task_info(mach_task_self(), MACH_TASK_BASIC_INFO, (task_info_t)&info, &count);
  return result == KERN_SUCCESS ? info.resident_size : 0;
}
#else
#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

size_t heap_size_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

size_t resident_size(void) {
  malloc_trim(0);
  FILE *file = fopen("/proc/self/statm", "r");
  size_t pages = 0;
  if (file != NULL) {
    if (fscanf(file, "%*s %zu", &pages) != 1) pages = 0;
    fclose(file);
  }
  return pages * (size_t)sysconf(_SC_PAGESIZE);
}
#endif
