// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "probe.h"

/// The attempts of one class, ended by one without a name.
struct battery {
  /// Null for what is no attack.
  const char *class;
  const struct attempt *attempts;
};

/// All of them, ended by one without attempts.
extern const struct battery batteries[];

/// The attempt with a name, or null.
const struct attempt *attempt_named(const char *name);

/// Prints every attack, one a line, with tabs between: name, class, argument, what it tries, layers.
void print_attempts(void);
