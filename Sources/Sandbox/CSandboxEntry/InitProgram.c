// SPDX-License-Identifier: Apache-2.0
//
// The program of PID 1 of every session, and the ELF file from which it is executed.
//
// If the extension itself were PID 1, the default actions of SIGTERM and SIGABRT would not apply (signal(7):
// "init receives only signals for which it has a handler"). Therefore PID 1 runs this function of a few
// hundred bytes in a separate section, which the host copies into a sealed memory file. No file on disk has
// to be found, trusted, or kept in sync with the library. No C library is initialized, and the process shares
// no memory with the host.
#include "Child.h"
#include "InitSection.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

/// The descriptor numbers of the init, as placed by darkroom_launch.
enum { INIT_STATUS = 3, INIT_CONTROL = 4, INIT_CHILDREN = 5, INIT_GATE = 7 };

/// Ends the session.
///
/// The kernel terminates all processes of the namespace with PID 1, but first destroys the mounts that they
/// use (MountTable.c). They would run without their files for a moment. All processes are descendants of this
/// one. If it has no children, the kernel need not search all processes of the machine for them.
__attribute__((always_inline)) static inline void end_session(void) {
  if (direct(SYS_wait4, -1, 0, WNOHANG | __WALL, 0) != -ECHILD) direct(SYS_kill, -1, SIGKILL);
  direct(SYS_exit_group, 0);
}

DARKROOM_PROGRAM("darkroom_init")
static void session_init(void) {
  // Other processes must not access its memory and /proc entries, even if the extension may trace processes.
  direct(SYS_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
  // The extension may execute its program only now: before, it could have accessed this process.
  const uint64_t open = 1;
  direct(SYS_write, INIT_GATE, &open, sizeof open);
  direct(SYS_close, INIT_GATE);
  for (;;) {
    // pselect(2), because poll(2) fails under a low descriptor limit, which another process could set for
    // this one.
    uint64_t readable = 1ULL << INIT_CONTROL | 1ULL << INIT_CHILDREN;
    if (direct(SYS_pselect6, INIT_CHILDREN + 1, &readable, 0, 0, 0, 0) < 0) continue;

    if (readable >> INIT_CONTROL & 1) {
      uint8_t number;
      long count = direct(SYS_read, INIT_CONTROL, &number, 1);
      // The end of the control pipe means that the host has exited.
      if (count == 0) end_session();
      if (count == 1) direct(SYS_kill, DARKROOM_EXTENSION, number);
    }
    if (readable >> INIT_CHILDREN & 1) {
      char ignored[128];
      direct(SYS_read, INIT_CHILDREN, ignored, sizeof ignored);
      for (;;) {
        int status;
        struct rusage used;
        long pid = direct(SYS_wait4, -1, &status, WNOHANG, &used);
        if (pid <= 0) break;
        if (pid != DARKROOM_EXTENSION) continue;
        struct darkroom_exit_report ended;
        ended.status = status;
        ended.reserved = 0;
        ended.user_microseconds = (uint64_t)used.ru_utime.tv_sec * 1000000 + (uint64_t)used.ru_utime.tv_usec;
        ended.system_microseconds = (uint64_t)used.ru_stime.tv_sec * 1000000 + (uint64_t)used.ru_stime.tv_usec;
        ended.peak_memory = (uint64_t)used.ru_maxrss;
        direct(SYS_write, INIT_STATUS, &ended, sizeof ended);
        end_session();
      }
    }
  }
}

// The linker defines these symbols for a section whose name is a C identifier.
extern const uint8_t __start_darkroom_init[];
extern const uint8_t __stop_darkroom_init[];

size_t darkroom_init_image(uint8_t *buffer, size_t capacity) {
  return darkroom_section_image(buffer, capacity, __start_darkroom_init, __stop_darkroom_init,
                                (const void *)(uintptr_t)session_init);
}

size_t darkroom_section_image(uint8_t *buffer, size_t capacity, const uint8_t *start, const uint8_t *stop,
                              const void *entry_point) {
  struct {
    Elf64_Ehdr file;
    Elf64_Phdr code, stack;
  } head = {0};
  size_t code = (size_t)(stop - start);
  size_t entry = (size_t)((const uint8_t *)entry_point - start);
  size_t size = sizeof head + code;
  if (size > capacity) return 0;

  memcpy(head.file.e_ident, ELFMAG, SELFMAG);
  head.file.e_ident[EI_CLASS] = ELFCLASS64;
  head.file.e_ident[EI_DATA] = ELFDATA2LSB;
  head.file.e_ident[EI_VERSION] = EV_CURRENT;
  head.file.e_type = ET_DYN;  // position independent, for a random load address
#if defined(__x86_64__)
  head.file.e_machine = EM_X86_64;
#else
  head.file.e_machine = EM_AARCH64;
#endif
  head.file.e_version = EV_CURRENT;
  head.file.e_entry = sizeof head + entry;
  head.file.e_phoff = sizeof head.file;
  head.file.e_ehsize = sizeof head.file;
  head.file.e_phentsize = sizeof head.code;
  head.file.e_phnum = 2;

  head.code.p_type = PT_LOAD;
  head.code.p_flags = PF_R | PF_X;
  head.code.p_filesz = head.code.p_memsz = size;
  head.code.p_align = 0x10000;
  head.stack.p_type = PT_GNU_STACK;
  head.stack.p_flags = PF_R | PF_W;  // non-executable stack
  head.stack.p_align = 16;

  memcpy(buffer, &head, sizeof head);
  memcpy(buffer + sizeof head, start, code);
  return size;
}
