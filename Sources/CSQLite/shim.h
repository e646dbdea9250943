#ifndef KINSHIP_CSQLITE_SHIM_H
#define KINSHIP_CSQLITE_SHIM_H

#include <sqlite3.h>
#include <string.h>

/* SQLITE_TRANSIENT, "copy it", is a cast that Swift does not import. */

static inline int kinship_bind_text(
    sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int kinship_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  if (count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline int kinship_is_equal(const void *left, const void *right, size_t count) {
  return memcmp(left, right, count) == 0;
}

/* Eight bytes at a time: texts are short, and most are ASCII. */
static inline int kinship_is_ascii(const unsigned char *bytes, size_t count) {
  unsigned long long word, all = 0;
  for (; count >= 8; bytes += 8, count -= 8) {
    memcpy(&word, bytes, 8);
    all |= word;
  }
  for (; count > 0; bytes++, count--) all |= *bytes;
  return (all & 0x8080808080808080ULL) == 0;
}

#endif
