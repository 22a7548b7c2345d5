// SPDX-License-Identifier: Apache-2.0
#include "call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Texts in the command line that name resources of this process.
static const char *const local_resources[] = {"/dev/fd",  "/proc/self", "/proc/thread-self", "/dev/std",
                                              "/dev/tty", "pipewire:fd=", NULL};
/// Texts in the environment that name directories of this process.
static const char *const local_directories[] = {"/dev/fd", "/proc/self", "/proc/thread-self", NULL};
/// Options that select another server or none, or a display or descriptor of this process.
static const char *const local_options[] = {"--root", "--no-serve", "--preview", "--passcode-fd", NULL};

/// Returns whether one of several texts occurs in `word`.
static bool contains_any(const char *word, const char *const *texts) {
  for (; *texts != NULL; texts++)
    if (strstr(word, *texts) != NULL) return true;
  return false;
}

/// Returns whether `word` starts with one of several texts.
static bool starts_with_any(const char *word, const char *const *texts) {
  for (; *texts != NULL; texts++)
    if (strncmp(word, *texts, strlen(*texts)) == 0) return true;
  return false;
}

/// Returns the value of a variable, or `NULL` if the variable is unset or empty.
static const char *variable(const char *name) {
  const char *value = getenv(name);
  return value != NULL && *value != '\0' ? value : NULL;
}

/// Stores the path of a file in the state root. Returns `false` if the root is unknown or the path is too long.
static bool find_file(char *path, size_t capacity, const char *option, const char *name) {
  const char *root = option != NULL ? option : variable("DARKROOM_ROOT");
  const char *parent = "";
  if (root == NULL) {
    root = variable("XDG_STATE_HOME");
    parent = "/darkroom";
    // The XDG Base Directory Specification requires absolute paths.
    if (root == NULL || *root != '/') {
      root = variable("HOME");
      parent = "/.local/state/darkroom";
      if (root == NULL || *root != '/') return false;
    }
  }
  int length = snprintf(path, capacity, "%s%s/%s", root, parent, name);
  return *root != '\0' && length > 0 && (size_t)length < capacity;
}

/// Returns whether the environment permits a server.
static bool is_environment_portable(void) {
  const char *choice = getenv("DARKROOM_SERVE");
  if (choice != NULL && strcmp(choice, "none") == 0) return false;
  for (char **entry = environ; *entry != NULL; entry++)
    if (contains_any(*entry, local_directories)) return false;
  return true;
}

/// Returns whether the words after the command's name permit a server.
///
/// The program after `--` interprets its arguments itself.
static bool are_words_portable(char **words, int count, bool is_program) {
  for (int i = 0; i < count; i++) {
    if (is_program && strcmp(words[i], "--") == 0)
      return i + 1 == count || !contains_any(words[i + 1], local_resources);
    if (starts_with_any(words[i], local_options) || contains_any(words[i], local_resources)) return false;
  }
  return true;
}

/// Consumes a leading `--root DIR` or `--root=DIR`. Returns the directory, or `NULL` without this option.
static const char *take_root(char ***words, int *count) {
  int taken = 0;
  const char *root = NULL;
  if (*count > 1 && strcmp(**words, "--root") == 0) {
    taken = 2;
    root = (*words)[1];
  } else if (*count > 0 && strncmp(**words, "--root=", 7) == 0) {
    taken = 1;
    root = **words + 7;
  }
  *words += taken;
  *count -= taken;
  return root;
}

/// Takes the words of a command that a server runs, and the option `--root` before, between or after them. Returns the last
/// word of the command, or `NULL` for any other command.
static const char *take_command(char ***words, int *count, const char **root) {
  *root = take_root(words, count);
  for (bool is_control = false; *count > 0; is_control = true) {
    const char *word = *(*words)++;
    *count -= 1;
    if (*root == NULL) *root = take_root(words, count);
    if (is_control) return strcmp(word, "press") == 0 || strcmp(word, "listen") == 0 ? word : NULL;
    if (strcmp(word, "control") != 0) return strcmp(word, "exec") == 0 || strcmp(word, "run") == 0 ? word : NULL;
  }
  return NULL;
}

bool call_read(struct call *call, int count, char **words) {
  call->words = words;
  call->count = count;
  const char *root;
  const char *command = take_command(&words, &count, &root);
  if (command == NULL) return false;
  bool is_program = strcmp(command, "exec") == 0;
  if (root != NULL && contains_any(root, local_resources)) return false;
  if (!is_environment_portable() || !are_words_portable(words, count, is_program)) return false;
  // Other commands than `exec` may prompt the user with a program that needs this terminal.
  char path[4096];
  if (!is_program && (!find_file(path, sizeof path, root, "authentication.json") || access(path, F_OK) == 0))
    return false;
  return find_file(call->socket, sizeof call->socket, root, "serve/control");
}
