// Tells the thread sanitizer of the waiting half of Swift's Mutex, which the standard library compiles without it.
//
// A Mutex on Linux takes a free lock with an atomic operation in the caller's code, which the sanitizer sees. A lock
// that another thread holds is taken and handed over by the kernel (FUTEX_LOCK_PI), inside libswiftSynchronization.
// These two functions have the names of that library's. They call it and report what it did. Load them with LD_PRELOAD.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// The sanitizer's. Weak, because the tools that start the tests are not built with it.
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

typedef SWIFT void Lock(uint32_t thread, SELF void *mutex);
typedef SWIFT void Unlock(SELF void *mutex);

// _MutexHandle._lockSlow(UInt32)
SWIFT void lock(uint32_t thread, SELF void *mutex) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT void lock(uint32_t thread, SELF void *mutex) {
  ((Lock *)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"))(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

// _MutexHandle._unlockSlow()
SWIFT void unlock(SELF void *mutex) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
SWIFT void unlock(SELF void *mutex) {
  if (__tsan_release) __tsan_release(mutex);
  ((Unlock *)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"))(mutex);
}
