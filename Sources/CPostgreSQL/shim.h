#ifndef KINSHIP_CPOSTGRESQL_SHIM_H
#define KINSHIP_CPOSTGRESQL_SHIM_H

#include <libpq-fe.h>

/* libpq prints notices to standard error unless it is told otherwise. */

static void kinship_ignore_notice(void *context, const PGresult *result) {
  (void)context;
  (void)result;
}

static inline void kinship_ignore_notices(PGconn *connection) {
  PQsetNoticeReceiver(connection, kinship_ignore_notice, NULL);
}

#endif
