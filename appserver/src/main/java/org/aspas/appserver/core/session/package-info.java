/**
 * Clients: connections, sessions, request numbers, answers and reads (paper §3.4; the protocol page, docs/protocol.md §3, §6).
 */
@NullMarked
package org.aspas.appserver.core.session;

import org.jspecify.annotations.NullMarked;
