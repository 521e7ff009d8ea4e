#define _GNU_SOURCE
#include "CCurl.h"
#include "Exchange.h"

#include <sys/mman.h>
#include <unistd.h>

ccurl_memory *ccurl_memory_make(size_t limit) {
  ccurl_memory *memory = calloc(1, sizeof *memory);
  if (memory) memory->limit = limit;
  return memory;
}

void ccurl_memory_free(ccurl_memory *memory) { free(memory); }

void ccurl_memory_release(ccurl_memory *memory, size_t size) { atomic_fetch_sub(&memory->taken, size); }

size_t ccurl_memory_taken(ccurl_memory *memory, size_t *most) {
  *most = atomic_load(&memory->most);
  return atomic_load(&memory->taken);
}

int memory_take(ccurl_memory *memory, size_t size) {
  size_t taken = atomic_fetch_add(&memory->taken, size) + size;
  if (taken > memory->limit) {
    atomic_fetch_sub(&memory->taken, size);
    return 0;
  }
  // Only the engine's thread reserves memory, so `most` has one writer.
  if (taken > atomic_load(&memory->most)) atomic_store(&memory->most, taken);
  return 1;
}

void ccurl_forget(const uint8_t *bytes, size_t size) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = ((uintptr_t)bytes + page - 1) & ~(page - 1);
  uintptr_t end = ((uintptr_t)bytes + size) & ~(page - 1);
  if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
}
