// SPDX-License-Identifier: Apache-2.0

// The compiler for C embeds files at once. The compiler for Swift needs seconds for such literals.

#include "CPolicyFiles.h"

#include <string.h>

static const unsigned char base_json[] = {
#embed "../../../Policies/base.json"
};
static const unsigned char capture_json[] = {
#embed "../../../Policies/capture.json"
};
static const unsigned char container_json[] = {
#embed "../../../Policies/container.json"
};
static const unsigned char strict_json[] = {
#embed "../../../Policies/strict.json"
};
static const unsigned char policy_schema_json[] = {
#embed "../../../Policies/policy.schema.json"
};
static const unsigned char invariants_json[] = {
#embed "../../../Policies/invariants.json"
};
static const unsigned char invariants_schema_json[] = {
#embed "../../../Policies/invariants.schema.json"
};

static const struct {
  const char *name;
  struct policy_file file;
} files[] = {
    {"base.json", {base_json, sizeof base_json}},
    {"capture.json", {capture_json, sizeof capture_json}},
    {"container.json", {container_json, sizeof container_json}},
    {"strict.json", {strict_json, sizeof strict_json}},
    {"policy.schema.json", {policy_schema_json, sizeof policy_schema_json}},
    {"invariants.json", {invariants_json, sizeof invariants_json}},
    {"invariants.schema.json", {invariants_schema_json, sizeof invariants_schema_json}},
};

struct policy_file policy_file(const char *name) {
  for (size_t index = 0; index < sizeof files / sizeof *files; index++) {
    if (strcmp(files[index].name, name) == 0) return files[index].file;
  }
  return (struct policy_file){NULL, 0};
}
