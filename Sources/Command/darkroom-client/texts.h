// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdbool.h>

/// Prints the text of a command line without the program's name, such as `help exec`, if the file of the full command
/// contains the text (`PreparedTexts.swift`).
///
/// Returns whether the text was printed. Otherwise, the full command has to run.
bool print_prepared_text(const char *full_command, char **words, int count);
