// SPDX-License-Identifier: Apache-2.0
#include "texts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/// The last bytes of a file with texts: the lengths of the texts and of the index before these bytes.
#define TRAILER_SIZE (sizeof "darkroom-texts 00000000 00000000\n" - 1)
/// The maximum length of a command line in the index.
#define KEY_SIZE 128

/// Writes the start of a line of the index: a newline, the words with spaces between them, and a tab.
///
/// Returns `false` for words with characters that no name of a command has. The index contains no such words.
static bool write_key(char key[static KEY_SIZE], char **words, int count) {
  size_t length = 0;
  for (int i = 0; i < count; i++) {
    size_t size = strlen(words[i]);
    if (size == 0 || strspn(words[i], "abcdefghijklmnopqrstuvwxyz0123456789-") != size) return false;
    if (length + size + sizeof " \t" > KEY_SIZE) return false;
    key[length++] = i == 0 ? '\n' : ' ';
    memcpy(key + length, words[i], size);
    length += size;
  }
  strcpy(key + length, "\t");
  return true;
}

/// Writes a text to standard output. Returns `false` after a failure.
static bool write_all(const char *text, size_t size) {
  while (size > 0) {
    ssize_t count = write(STDOUT_FILENO, text, size);
    if (count < 0 && errno == EINTR) continue;
    // A closed reader, such as `head`, is not a failure.
    if (count < 0) return errno == EPIPE;
    text += count;
    size -= (size_t)count;
  }
  return true;
}

/// Prints the text of a line of the index. Returns `false` if the file has no such text, and after a failure, which
/// the full command reports.
static bool print_text(int file, const char *key) {
  struct stat status;
  char trailer[TRAILER_SIZE + 1] = "";
  size_t texts_size, index_size;
  if (fstat(file, &status) < 0) return false;
  size_t end = (size_t)status.st_size - TRAILER_SIZE;
  if (pread(file, trailer, TRAILER_SIZE, (off_t)end) != (ssize_t)TRAILER_SIZE ||
      sscanf(trailer, "darkroom-texts %8zu %8zu\n", &texts_size, &index_size) != 2 || texts_size + index_size > end)
    return false;
  // Of the mapped file, only the pages that this function reads occupy memory.
  const char *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  if (bytes == MAP_FAILED) return false;
  const char *index = bytes + end - index_size, *texts = index - texts_size;
  const char *line = memmem(index, index_size, key, strlen(key));
  if (line == NULL) return false;
  char *space;
  size_t offset = strtoul(line + strlen(key), &space, 10), size = strtoul(space, NULL, 10);
  return offset <= texts_size && size <= texts_size - offset && write_all(texts + offset, size);
}

bool print_prepared_text(const char *full_command, char **words, int count) {
  char key[KEY_SIZE];
  if (!write_key(key, words, count)) return false;
  int file = open(full_command, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  bool is_printed = print_text(file, key);
  close(file);
  return is_printed;
}
