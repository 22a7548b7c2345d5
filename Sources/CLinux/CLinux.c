// SPDX-License-Identifier: Apache-2.0
//
// The header is the whole module; this file makes the compiler read it with the package's warnings.
#include "CLinux.h"
