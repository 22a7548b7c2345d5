// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "probe.h"

/// The attempts of one class, terminated by an entry without a name.
struct battery {
  /// The class, or null for tools that are not attacks.
  const char *class;
  const struct attempt *attempts;
};

/// All attempts, terminated by an entry without attempts.
extern const struct battery batteries[];

/// Returns the attempt with a name, or null.
const struct attempt *attempt_named(const char *name);

/// Prints every attack on a line of tab-separated fields: name, class, argument, description, layers.
void print_attempts(void);
